"""Changes made outside the editor: how soon they are findable, and what a storm of them costs.

    python tests/benchmarks/outside.py VAULT [--edits N]

VAULT is copied first. The server runs with the fake model, as words are what is waited for. First
it watches the files itself, then the client tells it what changed; at the end every note is
written again and told in 10,000 events at once.
"""

import argparse
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from rich.console import Console

from support.stdio import StdioClient, client_of

_N_EVENTS = 10_000
_WATCHES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}

Tell = Callable[[Sequence[Path]], None]


def show(name: str, took: Sequence[float], console: Console) -> None:
    """Print how long edits took to be found, in milliseconds."""
    ordered = sorted(took)
    p95 = ordered[int(len(ordered) * 0.95)]
    console.print(
        f"outside edit to findable, {name}: p50 {statistics.median(ordered):.0f} ms, "
        f"p95 {p95:.0f} ms of {len(ordered)} (floor: p95 ≤ 1000 ms)"
    )


def edits(client: StdioClient, notes: Sequence[Path], n_edits: int, tell: Tell) -> list[float]:
    """Write new words into notes; return how long each took to be found, in milliseconds."""
    chance = random.Random(5)  # noqa: S311 - no secret
    took: list[float] = []
    for number in range(n_edits):
        note = chance.choice(notes)
        word = f"quixotry{number}x{len(took)}"
        text = note.read_text("utf-8", "replace")
        begun = time.perf_counter()
        note.write_text(f"{text}\n\nAbout {word} today.\n", "utf-8")
        tell([note])
        asked = {"query": word, "mode": "lexical", "limit": 1}
        while not client.request("notekin/search", asked)["hits"]:
            time.sleep(0.003)  # without a pause the asking itself would take a processor
        took.append((time.perf_counter() - begun) * 1000)
    return took


def storm(client: StdioClient, notes: Sequence[Path], tell: Tell, console: Console) -> None:
    """Write every note again, and tell more than that at once."""
    client.request("notekin/search", {"query": "anything"})
    for number, note in enumerate(notes):
        note.write_text(f"{note.read_text('utf-8', 'replace')}\n\nstormy {number}\n", "utf-8")
    client.received.clear()
    begun = time.perf_counter()
    tell([notes[number % len(notes)] for number in range(_N_EVENTS)])
    client.request("notekin/status", {})
    answered = time.perf_counter() - begun
    last = {"query": f"stormy {len(notes) - 1}", "mode": "lexical", "limit": 1}
    while client.request("notekin/search", last)["verdict"] == "incomplete":
        time.sleep(0.05)
    seconds = time.perf_counter() - begun
    n_messages = sum(m.get("method") == "notekin/statusChanged" for m in list(client.received))
    console.print(
        f"{_N_EVENTS} events of {len(notes)} changed notes: the next request was answered after "
        f"{answered * 1000:.0f} ms, all was findable after {seconds:.1f} s, {n_messages} statuses"
    )


def _tell(client: StdioClient, paths: Sequence[Path]) -> None:
    changes = [{"uri": path.as_uri(), "type": 2} for path in paths]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


@contextmanager
def _served(vault: Path, home: Path, **capabilities: object) -> Generator[StdioClient]:
    environment = {"NOTEKIN_HEARTBEAT": str(home / "heartbeat")}
    with client_of("-m", "support.serve_fake", str(home), env=environment) as client:
        client.initialize(vault, **capabilities)
        client.idle()
        yield client


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--edits", type=int, default=60)
    options = parser.parse_args()
    console = Console(width=140)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        vault = home / "vault"
        shutil.copytree(options.vault, vault)
        notes = sorted(vault.rglob("*.md"))
        with _served(vault, home) as client:
            took = edits(client, notes, options.edits, lambda _: None)
            show("seen by the server", took, console)
        with _served(vault, home, **_WATCHES) as client:
            tell = partial(_tell, client)
            show("told by the client", edits(client, notes, options.edits, tell), console)
            client.leave()
        with _served(vault, home, **_WATCHES) as client:
            storm(client, notes, partial(_tell, client), console)
            client.leave()
        figures = json.loads((home / "heartbeat").read_text())
        console.print(
            f"longest stand-still of the loop in it: {figures['longest_held'] * 1000:.0f} ms "
            f"({figures['longest'] * 1000:.0f} ms by the clock; floor: ≤ 50 ms)"
        )


if __name__ == "__main__":
    main()
