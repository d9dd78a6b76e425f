"""The wire contract, met by a client that knows nothing else: shapes, codes, order, ranges.

What stands here is promised to every editor and script; a change of it needs an issue. The
server is the real one over its pipes, with a small fake model.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from support.stdio import Message, StdioClient, client_of

SERVED = ["search", "related", "status", "reindex", "pause", "cancel", "resume", "unlock"]
NOTES = {
    "garden/beds.md": "---\ntags: [garden]\n---\n# Beds 🌱\n\nCompost feeds the tomato beds 🍅.\n\n"
    "# Water\n\nA can for the tomato beds each morning; see [[tea]].\n",
    "tea.md": "# Tea\r\n\r\nSteep the leaves\x0cfor long.\r\n\r\nTomato beds? No: tea.\r\n",
    "plain.txt": "The boiler stands beside the tomato shelf. 中文合約\n",
    "100% #odd name?.md": "# Odd\n\nA zebra in a file of an odd name.\n",
}
SEEN = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
PHASES = {"starting", "scanning", "indexing", "embedding", "idle", "paused", "failed"}


def _vault(home: Path) -> Path:
    vault = home.resolve() / "vault"
    for path, text in NOTES.items():
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_bytes(text.encode())
    return vault


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _vault(tmp_path_factory.mktemp("contract"))


@pytest.fixture(scope="module")
def client(vault: Path) -> Iterator[StdioClient]:
    """A client of a server that has indexed the vault; nothing here changes a note."""
    with client_of("-m", "support.serve_fake", str(vault.parent)) as client:
        client.initialize(vault, **SEEN)
        client.idle()
        yield client


def _answer(client: StdioClient, method: str, params: Any = None) -> Message:
    number = client.begin(method, params)
    return client.message(lambda m: m.get("id") == number and "method" not in m)


def _search(client: StdioClient, query: str, **given: Any) -> Any:
    return client.request("notekin/search", {"query": query, **given})


def _path(uri: str) -> Path:
    parts = urlsplit(uri)
    assert parts.scheme == "file"
    assert parts.query + parts.fragment == ""
    return Path(unquote(parts.path))


def _ids(result: Any) -> list[str]:
    return [hit["chunkId"] for hit in result["hits"]]


def _offset(text: str, position: Mapping[str, int], unit: str) -> int:
    """Return the code point at an LSP position; only CR, LF and CRLF end a line."""
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z|\Z", text)
    width = {"utf-16": 2, "utf-8": 1}[unit]
    codec = {"utf-16": "utf-16-le", "utf-8": "utf-8"}[unit]
    head = lines[position["line"]].encode(codec)[: width * position["character"]]
    return sum(map(len, lines[: position["line"]])) + len(head.decode(codec))


def _assert_exact(hit: Any, text: str, unit: str = "utf-16") -> None:
    start, end = (_offset(text, hit["range"][side], unit) for side in ("start", "end"))
    assert text[start:end] == hit["text"]


# --- starting ----------------------------------------------------------------------------


def test_initialize_announces_what_is_served_and_only_that(tmp_path: Path) -> None:
    with client_of("-m", "support.serve_fake", str(tmp_path)) as client:
        capabilities = client.initialize()["capabilities"]
        announced = capabilities["experimental"]["notekin"]
        assert announced["protocolVersion"] == 1
        assert sorted(announced["methods"]) == sorted(f"notekin/{name}" for name in SERVED)
        commands = capabilities["executeCommandProvider"]["commands"]
        assert sorted(commands) == sorted(f"notekin.{name}" for name in SERVED)
        assert capabilities["positionEncoding"] == "utf-16"
        assert client.request("notekin/status", {}) == []
        for method in ("notekin/answer", "notekin/nothing", "textDocument/definition"):
            assert _answer(client, method, {})["error"]["code"] == -32601
        assert _answer(client, "notekin/search", {"query": "x"})["error"]["code"] == -32602
        assert client.leave() == 0


def test_out_of_turn_is_answered(tmp_path: Path) -> None:
    with client_of("-m", "support.serve_fake", str(tmp_path)) as client:
        assert _answer(client, "notekin/status", {})["error"]["code"] == -32002
        client.initialize()
        assert _answer(client, "initialize", {"capabilities": {}})["error"]["code"] == -32600
        client.request("shutdown")
        assert _answer(client, "notekin/status", {})["error"]["code"] == -32600
        client.notify("exit")
        assert client.process.wait() == 0


# --- results -----------------------------------------------------------------------------


def test_a_search_result(client: StdioClient, vault: Path) -> None:
    result = _search(client, "compost tomato beds")
    assert set(result) == {"verdict", "hits", "status", "tookMs"}
    assert result["verdict"] == "found"
    assert result["tookMs"] >= 0
    first = result["hits"][0]
    assert first["chunkId"] == "garden/beds.md#0"
    assert first["uri"] == (vault / "garden/beds.md").as_uri()
    assert first["folder"] == vault.as_uri()
    assert (first["title"], first["headings"]) == ("Beds 🌱", ["Beds 🌱"])
    assert not {"page", "lastPage", "textDocument", "linked"} & set(first)
    scores = [hit["score"] for hit in result["hits"]]
    assert scores == sorted(scores, reverse=True)
    for hit in result["hits"]:
        assert 0 <= hit["score"] <= 1
        assert re.fullmatch(r".+#\d+", hit["chunkId"])
        for lane in ("lexical", "semantic"):
            assert lane not in hit or (
                hit[lane]["rank"] >= 1 and set(hit[lane]) == {"rank", "score"}
            )
        units = hit["text"].encode("utf-16-le")
        marked = [
            units[2 * h["start"] : 2 * h["end"]].decode("utf-16-le") for h in hit["highlights"]
        ]
        assert {word.casefold() for word in marked} <= {"compost", "tomato", "beds", "bed"}
    assert first["highlights"]
    assert -1 <= first["semantic"]["score"] <= 1


def test_index_status(client: StdioClient, vault: Path) -> None:
    (status,) = client.request("notekin/status", {})
    assert status["folder"] == vault.as_uri()
    assert status["phase"] == "idle"
    assert "reason" not in status
    assert status["notes"] == {"total": 4, "indexed": 4, "pending": 0, "failed": 0, "excluded": 0}
    chunks = status["chunks"]
    assert chunks["total"] == chunks["embedded"] > 0 == chunks["pending"]
    assert set(status["model"]) == {"name", "dim", "fingerprint"}
    assert status["failures"] == []
    assert isinstance(status["revision"], int)
    assert _search(client, "tea")["status"] == [status]
    assert client.request("notekin/status") == [status]


def test_verdicts(client: StdioClient) -> None:
    nothing = _search(client, "zxqv blorf wug")
    assert nothing["verdict"] == "notFound"
    assert all(hit["weak"] is True for hit in nothing["hits"])
    assert _search(client, "zebra", mode="lexical")["verdict"] == "found"
    assert _search(client, "")["verdict"] == "notFound"


@pytest.mark.parametrize("unit", ["utf-16", "utf-8"])
def test_every_range_is_the_passage(vault: Path, unit: str) -> None:
    with client_of("-m", "support.serve_fake", str(vault.parent)) as client:
        answer = client.initialize(vault, general={"positionEncodings": [unit]}, **SEEN)
        assert answer["capabilities"]["positionEncoding"] == unit
        client.idle()
        hits = _search(client, "tomato beds tea zebra steep boiler", limit=5000)["hits"]
        assert {_path(hit["uri"]) for hit in hits} == {vault / path for path in NOTES}
        for hit in hits:
            _assert_exact(hit, _path(hit["uri"]).read_bytes().decode(), unit)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"limit": 1}, 1),
        ({"kinds": ["text"]}, {"plain.txt#0"}),
        ({"tags": ["garden"]}, {"garden/beds.md#0", "garden/beds.md#1"}),
        ({"folders": ["VAULT/garden"]}, {"garden/beds.md#0", "garden/beds.md#1"}),
        ({"folders": ["VAULT"], "kinds": ["pdf"]}, set[str]()),
    ],
)
def test_filters(client: StdioClient, vault: Path, given: dict[str, Any], found: Any) -> None:
    if "folders" in given:
        given = {**given, "folders": [f.replace("VAULT", vault.as_uri()) for f in given["folders"]]}
    for mode in ("lexical", "hybrid"):
        ids = _ids(_search(client, "tomato", mode=mode, **given))
        assert len(ids) == found if isinstance(found, int) else set(ids) == found


@pytest.mark.parametrize(
    "query", ["NOT", "*", '"open', "a AND", "col:x", "NEAR(", "\0", "\ud800", "w " * 10_000, "'--"]
)
@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_no_query_is_an_error(client: StdioClient, query: str, mode: str) -> None:
    assert _search(client, query, mode=mode)["verdict"] in {"found", "notFound"}


def test_related(client: StdioClient, vault: Path) -> None:
    note = {"textDocument": {"uri": (vault / "garden/beds.md").as_uri()}}
    result = client.request("notekin/related", note)
    assert set(result) == {"verdict", "hits", "status", "tookMs"}
    linked = {hit["chunkId"]: hit["linked"] for hit in result["hits"]}
    assert "garden/beds.md#0" not in linked
    assert linked["tea.md#0"] is True
    place = {"position": {"line": 5, "character": 3}, "includeSelf": True}
    assert _ids(client.request("notekin/related", note | place))[0] == "garden/beds.md#0"
    far = {"position": {"line": 2**40, "character": 2**40}, "limit": 1}
    assert len(client.request("notekin/related", note | far)["hits"]) <= 1


def test_each_request_is_a_command_too(client: StdioClient, vault: Path) -> None:
    def command(name: str, *arguments: Any) -> Any:
        params = {"command": f"notekin.{name}", "arguments": list(arguments)}
        return client.request("workspace/executeCommand", params)

    query = {"query": "zebra"}
    assert _ids(command("search", query)) == _ids(_search(client, "zebra"))
    note = {"textDocument": {"uri": (vault / "tea.md").as_uri()}}
    assert _ids(command("related", note)) == _ids(client.request("notekin/related", note))
    assert command("status") == command("status", {}) == client.request("notekin/status", {})


# --- errors ------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [1, "x", [], True, None, {"query": 5}, {"query": "x", "limit": -1}])
def test_malformed_params_are_refused_with_a_sentence(client: StdioClient, bad: Any) -> None:
    command = {"command": "notekin.search", "arguments": [bad]}
    for method, params in (("notekin/search", bad), ("workspace/executeCommand", command)):
        error = _answer(client, method, params)["error"]
        assert set(error) == {"code", "message"}
        assert error["code"] == -32602
        assert "Traceback" not in error["message"]
        assert len(error["message"].split()) > 3


@pytest.mark.parametrize(
    "uri", ["untitled:1", "", "https://example.org/a.md", "file:///nowhere.md"]
)
def test_a_foreign_document_is_refused(client: StdioClient, uri: str) -> None:
    params = {"textDocument": {"uri": uri}}
    assert _answer(client, "notekin/related", params)["error"]["code"] == -32602
    place = {**params, "position": {"line": 0, "character": 0}}
    assert client.request("textDocument/hover", place) is None


def test_every_request_is_answered_once_whatever_is_cancelled(client: StdioClient) -> None:
    numbers = [client.begin("notekin/search", {"query": f"tomato {n}"}) for n in range(60)]
    for number in [*numbers[::2], 10**6, "unknown", None]:
        client.notify("$/cancelRequest", {"id": number})
    for number in numbers:
        answer = client.message(lambda m, n=number: m.get("id") == n and "method" not in m)
        assert "result" in answer or answer["error"]["code"] == -32800
    client.request("notekin/status", {})
    for number in numbers:
        assert sum(m.get("id") == number and "method" not in m for m in client.received) == 1
