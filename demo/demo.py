"""Index the sample vault through the real server, as an editor does, and search it.

Exit status 0 when everything came out as it should, else 1 with a sentence.
`--picture FILE` also saves what was printed as an SVG.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import field, frozen
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.rule import Rule

import show
from client import Client, ServerError

VAULT = Path(__file__).resolve().parent.parent / "sample-vault"
N_PDFS = len(list(VAULT.rglob("*.pdf")))
_PATIENCE_SECONDS = 600.0
_ANSWER_SECONDS = 20.0


class DemoFailed(Exception):  # reads as what happened, as the server's own errors do
    """Something did not come out as it should; `str()` is a sentence."""


@frozen
class Question:
    """A search and what must come of it: the verdict, and a note among the first three hits."""

    asked: str
    params: dict[str, Any]
    verdict: str = "found"
    expected: str = ""


QUESTIONS = (
    Question(
        "By meaning: “sleeping better without a smartphone in the bedroom”",
        {"query": "sleeping better without a smartphone in the bedroom"},
        expected="health/Sleep experiment.md",
    ),
    Question(
        "An error code: “ERR-4032”",
        {"query": "ERR-4032"},
        expected="work/Postmortem ERR-4032.md",
    ),
    Question(
        "In Japanese: “民宿 バス”",
        {"query": "民宿 バス"},
        expected="japanese/旅行の準備.md",
    ),
    Question(
        "Only notes tagged #kitchen/bread: “how do I know when it is ready”",
        {"query": "how do I know when it is ready", "tags": ["kitchen/bread"]},
        expected="kitchen/Sourdough basics.md",
    ),
    Question(
        "In a PDF: “what does it mean when the inverter blinks red twice”",
        {"query": "what does it mean when the inverter blinks red twice"},
        expected="home/Inverter manual.pdf",
    ),
    Question(
        "Not in these notes: “mortgage interest rate refinancing”",
        {"query": "mortgage interest rate refinancing"},
        verdict="notFound",
    ),
)
RELATED_NOTE = VAULT / "work" / "Dock events pipeline.md"
RELATED_WORDS = "Everything. A dock with a bad modem"


@frozen
class Watch:
    """Follows `notekin/statusChanged` and knows when the vault is wholly indexed."""

    progress: Progress
    words: Any
    meaning: Any
    begun: float = field(factory=time.perf_counter)
    seconds: dict[str, float] = field(factory=dict[str, float])
    done: threading.Event = field(factory=threading.Event)

    def heard(self, method: str, params: Any) -> None:
        """Take a notification of the server."""
        if method != "notekin/statusChanged" or not params["status"]:
            return
        status = params["status"][0]
        notes, chunks = status["notes"], status["chunks"]
        self.progress.update(self.words, total=notes["total"], completed=notes["indexed"])
        self.progress.update(self.meaning, total=chunks["total"], completed=chunks["embedded"])
        pending = notes["pending"] + chunks["pending"]
        # A PDF is pending until its layout is read, which takes longer than all the notes.
        unread = notes["pending"] > N_PDFS or status["phase"] in {"starting", "scanning"}
        if notes["total"] and not unread:
            self.seconds.setdefault("words", time.perf_counter() - self.begun)
        stopped = status["phase"] in {"paused", "failed"}
        if stopped or (status["phase"] == "idle" and notes["total"] and not pending):
            self.done.set()


def main() -> int:
    """Run the demo."""
    parser = argparse.ArgumentParser(description="Index the sample vault and search it.")
    parser.add_argument("--picture", type=Path, help="save what is printed as an SVG")
    picture: Path | None = parser.parse_args().picture
    wide = None if sys.stdout.isatty() and picture is None else 100
    console = Console(width=wide, record=picture is not None, highlight=False)
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data:
            _run(console, Path(data))
    except (DemoFailed, ServerError) as error:
        console.print(f"\n[bold red]The demo failed.[/] {error}", soft_wrap=True)
        return 1
    if picture is not None:
        console.save_svg(str(picture), title="make demo", code_format=_picture_format())
    return 0


def _run(console: Console, data: Path) -> None:
    console.print(Rule(f"Notekin indexes {VAULT.name}", style="cyan"))
    log_path = data / "server.log"
    with _progress(console) as watch, log_path.open("wb") as log:
        client = Client(
            [sys.executable, "-m", "notekin", "lsp", "--stdio"],
            {**os.environ, "NOTEKIN_DATA_DIR": str(data)},
            log,
            watch.heard,
        )
        with client:
            _index(client, watch)
            watch.progress.stop()
            words, meaning = watch.seconds["words"], time.perf_counter() - watch.begun
            console.print(
                f"Findable by words after {words:.1f} s, by meaning, the PDF included, after "
                f"{meaning:.1f} s from the server's start.",
                style="dim",
            )
            for question in QUESTIONS:
                _ask(console, client, question)
            _relate(console, client)
    if client.exit_status != 0:
        raise DemoFailed(f"The server ended with status {client.exit_status}:\n{_tail(log_path)}")
    console.print("\n[bold green]All seven answers are as they should be.[/]")
    console.print(
        "The index of this demo is gone again. For your own notes: “Install” in README.md."
    )


@contextmanager
def _progress(console: Console) -> Generator[Watch]:
    progress = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console
    )
    with progress:
        words = progress.add_task("Notes findable by words     ", total=None)
        meaning = progress.add_task("Passages findable by meaning", total=None)
        yield Watch(progress, words, meaning)


def _index(client: Client, watch: Watch) -> None:
    uri = VAULT.as_uri()
    answer = client.request(
        "initialize",
        {
            "processId": os.getpid(),
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": VAULT.name}],
            "capabilities": {"workspace": {"workspaceFolders": True}},
        },
    )
    served = answer["capabilities"].get("experimental", {}).get("notekin")
    if served is None:
        raise DemoFailed("The server does not announce Notekin's methods.")
    client.notify("initialized", {})
    if not watch.done.wait(_PATIENCE_SECONDS):
        raise DemoFailed(f"Indexing did not finish within {_PATIENCE_SECONDS:.0f} s.")
    status = client.request("notekin/status", {})[0]
    if status["phase"] != "idle" or status["notes"]["failed"]:
        reason = status.get("reason", "no reason given")
        raise DemoFailed(
            f"Indexing ended in phase {status['phase']} ({reason}) with "
            f"{status['notes']['failed']} failed notes."
        )


def _ask(console: Console, client: Client, question: Question) -> None:
    result = _answer(client, "notekin/search", {**question.params, "limit": 5})
    show.answer(console, question.asked, result, n_hits=2 if question.expected else 1)
    _check(question, result)


def _relate(console: Console, client: Client) -> None:
    lines = RELATED_NOTE.read_text("utf-8").splitlines()
    line = next(number for number, text in enumerate(lines) if RELATED_WORDS in text)
    result = _answer(
        client,
        "notekin/related",
        {
            "textDocument": {"uri": RELATED_NOTE.as_uri()},
            "position": {"line": line, "character": 0},
        },
    )
    asked = f"Related to {RELATED_NOTE.name}, line {line + 1}: “{RELATED_WORDS} …”"
    show.answer(console, asked, result, n_hits=3)
    _check(Question(asked, {}, expected="work/Clock skew in dock firmware.md"), result)


def _answer(client: Client, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Ask until the answer is complete: on a busy machine the words may answer first, alone."""
    deadline = time.monotonic() + _ANSWER_SECONDS
    while True:
        result: dict[str, Any] = client.request(method, params)
        if result["verdict"] != "incomplete" or time.monotonic() > deadline:
            return result


def _check(question: Question, result: dict[str, Any]) -> None:
    if result["verdict"] != question.verdict:
        raise DemoFailed(f"{question.asked}: {result['verdict']} instead of {question.verdict}.")
    first = [show.path(hit) for hit in result["hits"][:3]]
    if question.expected and question.expected not in first:
        raise DemoFailed(f"{question.asked}: {question.expected} is not among {first}.")


def _tail(log: Path) -> str:
    return "\n".join(log.read_text("utf-8", "replace").splitlines()[-10:])


def _picture_format() -> str:
    """Return rich's SVG frame without the web font, which nobody should have to fetch."""
    import re

    from rich._export_format import CONSOLE_SVG_FORMAT

    return re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
        "Fira Code", "ui-monospace, Menlo, Consolas"
    )


if __name__ == "__main__":
    sys.exit(main())
