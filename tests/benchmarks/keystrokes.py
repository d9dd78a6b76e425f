"""What typing in a note of a megabyte costs the server's loop, in milliseconds.

    python tests/benchmarks/keystrokes.py [N]

N keystrokes (2,000 by default) a row, each with the snapshot that a request takes of it. The time
is that of the thread alone; what a request then does with the snapshot, it does on its own.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping

from rich.console import Console
from rich.table import Table

from notekin.core.text import LineIndex
from notekin.lsp.documents import Change, Document, Place

_SIZE = 1_000_000
_LINE = "A line of prose with some fifty characters in it.\n"
_PROSE = _LINE * (_SIZE // len(_LINE))

Typing = Callable[[int], Iterator[list[Change]]]


def _at(line: int, character: int, text: str = "x") -> Change:
    place = Place(line, character)
    return Change(text, place, place)


def _on_one_line(line: int) -> Typing:
    return lambda n: ([_at(line, number)] for number in range(n))


def _jumping(n_lines: int) -> Typing:
    return lambda n: ([_at(0 if number % 2 else n_lines - 1, 3)] for number in range(n))


def _anywhere(n_lines: int) -> Typing:
    chosen = random.Random(1)  # noqa: S311 - no secret
    return lambda n: ([_at(chosen.randrange(n_lines), 3)] for _ in range(n))


def _in_one_line(n: int) -> Iterator[list[Change]]:
    chosen = random.Random(1)  # noqa: S311 - no secret
    return ([_at(0, chosen.randrange(_SIZE))] for _ in range(n))


def _cursors(n_cursors: int, n_lines: int) -> Typing:
    """Many cursors at once, from the bottom up, as editors send them."""
    step = n_lines // n_cursors
    lines = range(n_lines - 1, 0, -step)[:n_cursors]
    return lambda n: ([_at(line, 3) for line in lines] for _ in range(n // 20))


def _cases() -> Mapping[str, tuple[str, Typing]]:
    n_lines = _PROSE.count("\n")
    emoji = _PROSE[: _SIZE // 2] + "🦘" + _PROSE[_SIZE // 2 :]
    return {
        "in the middle": (_PROSE, _on_one_line(n_lines // 2)),
        "with an emoji": (emoji, _on_one_line(n_lines // 2 + 1)),
        "top to bottom and back": (emoji, _jumping(n_lines)),
        "anywhere": (emoji, _anywhere(n_lines)),
        "one line of 1 MB": ("x🦘 " * (_SIZE // 3), _in_one_line),
        "10,000 short lines": ("ab\n" * 10_000, _anywhere(10_000)),
        "200 cursors at once": (emoji, _cursors(200, n_lines)),
    }


def _measured(text: str, typing: Iterator[list[Change]]) -> Iterator[float]:
    """Yield the milliseconds of each event."""
    document = Document(1, text)
    for version, changes in enumerate(typing, 2):
        begun = time.thread_time()
        document.change(version, changes, "utf-16")
        document.freeze()
        yield (time.thread_time() - begun) * 1000


def main() -> None:
    """Print a row a case, and one pass over the lines as a measure of the machine."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    table = Table("keystroke and snapshot", "p50 ms", "p99 ms", "worst ms")
    for name, (text, typing) in _cases().items():
        each = list(_measured(text, typing(n)))
        p99 = sorted(each)[int(len(each) * 0.99)]
        table.add_row(name, *(f"{ms:.3f}" for ms in (statistics.median(each), p99, max(each))))
    begun = time.thread_time()
    LineIndex(_PROSE)
    table.add_row("(one pass over the lines)", f"{(time.thread_time() - begun) * 1000:.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
