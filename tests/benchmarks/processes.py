"""Two windows on one vault: how soon a save in the one that follows is findable, how soon it takes
over from one that was killed, and what both cost at rest.

    python tests/benchmarks/processes.py VAULT [--saves N] [--kills N]

VAULT is copied first. The servers run with the fake model, as words are what is waited for.
"""

import argparse
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

from support.stdio import Message, StdioClient, client_of

_REST_SECONDS = 10.0


def window(stack: ExitStack, vault: Path) -> StdioClient:
    """Return a client of a server that has the vault open."""
    client = stack.enter_context(client_of("-m", "support.serve_fake", str(vault.parent)))
    client.initialize(vault)
    client.status(lambda status: status["phase"] == "idle")
    return client


def milliseconds_until_found(client: StdioClient, word: str, begun: float) -> float:
    """Return when a word is found, counted from `begun`."""
    asked = {"query": word, "mode": "lexical", "limit": 1}
    while not client.request("notekin/search", asked)["hits"]:
        time.sleep(0.003)  # without a pause the asking itself would take a processor
    return (time.perf_counter() - begun) * 1000


def saves(leader: StdioClient, follower: StdioClient, notes: Sequence[Path], n: int) -> str:
    """Save notes in the follower; return how long they took to be found in both."""
    chance = random.Random(6)  # noqa: S311 - no secret
    took: dict[str, list[float]] = {"there": [], "in both": []}
    for number, note in enumerate(chance.sample(list(notes), min(n, len(notes)))):
        word = f"quixotry{number}x"
        text = note.read_text("utf-8", "replace") + f"\n\nAbout {word} today.\n"
        begun = time.perf_counter()
        follower.save(note, text)
        took["there"].append(milliseconds_until_found(follower, word, begun))
        took["in both"].append(milliseconds_until_found(leader, word, begun))
    return "; ".join(f"{name} {_spread(each)}" for name, each in took.items())


def _spread(took: Sequence[float]) -> str:
    p95 = sorted(took)[int(len(took) * 0.95)]
    return f"p50 {statistics.median(took):.0f} ms, p95 {p95:.0f} ms"


def takeover(vault: Path) -> float:
    """Kill the indexer; return the seconds until the other window indexes and is idle."""

    def leads(status: Message) -> bool:
        return status["phase"] == "idle" and "reason" not in status

    with ExitStack() as stack:
        leader = window(stack, vault)
        follower = window(stack, vault)
        begun = time.perf_counter()
        leader.kill()
        follower.status(leads)
        return time.perf_counter() - begun


def processor_share(client: StdioClient, seconds: float) -> float:
    """Return the share of one processor, in percent, that a server at rest takes."""

    def used() -> float:
        fields = Path(f"/proc/{client.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before = used()
    time.sleep(seconds)
    return (used() - before) / seconds * 100


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", type=Path)
    parser.add_argument("--saves", type=int, default=60)
    parser.add_argument("--kills", type=int, default=5)
    asked = parser.parse_args()
    console = Console(width=120)
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        vault = Path(scratch).resolve() / "vault"
        shutil.copytree(asked.vault, vault, ignore=shutil.ignore_patterns(".git"))
        notes = sorted(vault.rglob("*.md"))
        leader, follower = window(stack, vault), window(stack, vault)
        found = saves(leader, follower, notes, asked.saves)
        console.print(f"save in the follower to findable, {len(notes)} notes: {found} (≤ 150 ms)")
        for name, client in (("indexer", leader), ("follower", follower)):
            share = processor_share(client, _REST_SECONDS)
            console.print(f"processor taken by the {name} at rest: {share:.2f} % of one")
        stack.close()
        took = [takeover(vault) for _ in range(asked.kills)]
        console.print(
            f"takeover after kill -9, to idle: p50 {statistics.median(took):.2f} s, "
            f"longest {max(took):.2f} s of {len(took)} (≤ 2 s)"
        )


if __name__ == "__main__":
    main()
