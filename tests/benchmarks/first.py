"""The beginning of a first index: when all words are findable, and how long the loop stands still.

    python tests/benchmarks/first.py VAULT [--seconds N]

VAULT is copied first, and indexed through the real server with its model, hovers all the while;
N seconds after the words are there (60 by default) the server is ended, whatever is left to embed.
Of a vault of 12,000 notes the whole would take most of an hour.
"""

import argparse
import random
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from vault import Editor, copied, idle, percentile, words_there


def hovers_until(done: threading.Event, editor: Editor, notes: Sequence[Path]) -> list[float]:
    """Hover over notes at random; return how long the answers took, in milliseconds."""
    chance = random.Random(1)  # noqa: S311 - no secret
    took: list[float] = []
    while not done.wait(0.1):
        document = {"uri": chance.choice(notes).as_uri()}
        place = {"line": 3, "character": 1}
        asked = {"textDocument": document, "position": place}
        took.append(editor.timed("textDocument/hover", asked)[0])
    return took


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("vault", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    asked = parser.parse_args()
    console = Console(width=140)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        vault = copied(asked.vault, folder / "vault", None)
        notes = sorted(vault.rglob("*.md"))
        data = folder / "data"
        data.mkdir()
        editor = Editor(vault, data)
        done, took = threading.Event(), list[float]()
        asking = threading.Thread(target=lambda: took.extend(hovers_until(done, editor, notes)))
        asking.start()
        words = editor.until(words_there)
        console.print(f"all {len(notes)} notes findable by words after {words:.1f} s")
        with suppress(TimeoutError):
            editor.until(idle, asked.seconds)
        done.set()
        asking.join()
        chunks = editor.seen[-1][1]["chunks"]
        still = editor.close()
    p95 = percentile(took, 0.95)
    console.print(
        f"longest stand-still of the loop, {chunks['embedded']} of {chunks['total']} passages "
        f"embedded: {still.held:.0f} ms ({still.by_clock:.0f} ms by the clock; floor: ≤ 50 ms); "
        f"hover in it, p95 of {len(took)}: {p95:.0f} ms (≤ 150 ms)"
    )


if __name__ == "__main__":
    main()
