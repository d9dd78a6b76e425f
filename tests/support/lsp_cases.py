"""Cases of the language server as data: what a client sends, and what it must get.

A case is a YAML document: `about` (a sentence), `initialize` (params beside the folders),
`folders` (default: one, `notes`), `session` (hits, verdict, texts, failure, hover,
notices) and `steps`:

- `request: METHOD, params: …, result: …` or `…, error: {code: …, message: …}`
- `notify: METHOD, params: …`
- `told: [[CALL, WHAT], …]`: the session was told exactly that since the last such step
- `configuration: {everywhere: …, FOLDER: …}`: what the client answers from now on when it is
  asked for settings; at the top, from the beginning
- `receives: METHOD, params: …`: a notification or request of the server
- `saw: {FILE: TEXT}`: the documents that the last search worked on

Values match like this: an object holds at least the given keys, a list has the same items, a
string with `…` in it matches whatever stands there, `<absent>` wants the key to be missing.
`NOTES` in a string stands for the URI of the folder `notes`, `READABLE` for that of the readable
documents in it.
"""

import json
import re
from pathlib import Path
from typing import Any, cast

import yaml

from notekin.app import errors
from notekin.app.results import Hit, LaneScore
from notekin.core.pages import PageRange
from notekin.core.text import Anchor
from support.fake_session import FakeSession, FakeSettings
from support.lsp_harness import LspClient

CASES = Path(__file__).parents[1] / "cases" / "lsp"


def load() -> list[Any]:
    """Return all cases, each with the name of its file and its sentence as `id`."""
    cases: list[Any] = []
    for file in sorted(CASES.glob("*.yaml")):
        given = yaml.safe_load_all(file.read_text(encoding="utf-8"))
        cases.extend({**case, "id": f"{file.stem}: {case['about']}"} for case in given)
    return cases


async def run(case: Any, root: Path) -> None:
    """Run one case with folders below `root`."""
    folders = [root / name for name in case.get("folders", ["notes"])]
    session = _session(case.get("session", {}), root / "notes")
    client = LspClient(session)
    client.configuration = case.get("configuration")
    steps = _placed(case["steps"], root)
    try:
        if case.get("initialize", {}) is not None:
            result = await client.initialize(folders, _placed(case.get("initialize", {}), root))
            _expect(result, _placed(case.get("initialized", {}), root), "initialize")
            if not case.get("keeps_calls"):
                session.calls.clear()
        for step in steps:
            await _step(client, step)
    finally:
        await client.stop()


async def _step(client: LspClient, step: Any) -> None:
    if "request" in step:
        answer = await client.request(step["request"], step.get("params"))
        wanted = {key: step[key] for key in ("result", "error") if key in step}
        _expect(answer, wanted, step["request"])
        assert ("error" in answer) == ("error" in wanted), answer
    elif "configuration" in step:
        client.configuration = step["configuration"]
    elif "notify" in step:
        client.notify(step["notify"], step.get("params"))
    elif "receives" in step:
        message = await client.message(lambda m: m.get("method") == step["receives"])
        _expect(message["params"], step.get("params", {}), step["receives"])
    elif "saw" in step:
        assert client.session.seen[-1] == step["saw"]
    else:
        assert json.loads(json.dumps(client.session.calls)) == step["told"]
        client.session.calls.clear()


def _session(given: Any, vault: Path) -> FakeSession:
    session = FakeSession(
        hits=tuple(_hit(hit, vault) for hit in given.get("hits", [])),
        verdict=given.get("verdict", "found"),
        texts=given.get("texts", {}),
        settings=FakeSettings(
            hover=given.get("hover", True), workspace_symbols=given.get("symbols", True)
        ),
        notices=tuple(given.get("notices", [])),
    )
    if (failure := given.get("failure")) is not None:
        kind, sentence = failure
        session.failure = getattr(errors, kind, ValueError)(sentence)
    return session


def _hit(given: Any, vault: Path) -> Hit:
    start, end = given.get("start", [0, 0, 0]), given.get("end", [0, 0, 0])
    pages = given.get("pages")
    return Hit(
        folder=vault,
        path=given["path"],
        ordinal=given.get("ordinal", 0),
        kind="pdf" if pages or given["path"].endswith(".pdf") else "markdown",
        start=Anchor(*start),
        end=Anchor(*end),
        title=given.get("title", "A title"),
        headings=tuple(given.get("headings", [])),
        text=given["text"],
        score=0.5,
        semantic=LaneScore(1, 0.5),
        weak=given.get("weak", False),
        pages=PageRange(*pages) if pages else None,
        page=given.get("page", pages[0]) if pages else None,
    )


def _placed(value: Any, root: Path) -> Any:
    if isinstance(value, str):
        notes = (root / "notes").as_uri()
        readable = notes.replace("file:", "notekin-pdf:", 1)
        return value.replace("NOTES", notes).replace("READABLE", readable)
    if isinstance(value, list):
        return [_placed(item, root) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _placed(item, root) for key, item in cast("dict[str, Any]", value).items()}
    return value


def _expect(given: Any, wanted: Any, where: str) -> None:
    if isinstance(wanted, dict):
        assert isinstance(given, dict), f"{where}: {given!r} is no object"
        _expect_keys(cast("Any", given), cast("Any", wanted), where)
    elif isinstance(wanted, list):
        assert isinstance(given, list), f"{where}: {given!r} is no list"
        pairs = zip(cast("list[Any]", given), cast("list[Any]", wanted), strict=True)
        for index, (item, value) in enumerate(pairs):
            _expect(item, value, f"{where}[{index}]")
    elif isinstance(wanted, str) and "…" in wanted:
        pattern = ".*".join(re.escape(part) for part in wanted.split("…"))
        assert isinstance(given, str), f"{where}: {given!r} is no string"
        assert re.fullmatch(pattern, given, re.DOTALL), f"{where}: {given!r}"
    else:
        assert given == wanted, f"{where}: {given!r} is not {wanted!r}"


def _expect_keys(given: dict[str, Any], wanted: dict[str, Any], where: str) -> None:
    for key, value in wanted.items():
        if value == "<absent>":
            assert key not in given, f"{where}.{key} is there: {given[key]!r}"
        else:
            assert key in given, f"{where}.{key} is missing in {given!r}"
            _expect(given[key], value, f"{where}.{key}")
