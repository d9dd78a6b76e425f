r"""Lines and positions of a text.

Only `\n`, `\r\n` and `\r` end a line, as in LSP; `str.splitlines` knows more (form feed,
U+2028 …) and would shift every line below one.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import accumulate
from operator import attrgetter
from typing import Literal

from attrs import frozen

from notekin.core.note import Span

Encoding = Literal["utf-16", "utf-8"]

BYTE_ORDER_MARK = "\ufeff"

_LINE_END = re.compile(r"\r\n|\n|\r")


@frozen
class Anchor:
    """A place in a document: a line (from 0) and its column in both encodings' units."""

    line: int
    utf16: int
    utf8: int

    def column(self, encoding: Encoding) -> int:
        """Return the column in the units of `encoding`."""
        return self.utf16 if encoding == "utf-16" else self.utf8


@frozen
class Edit:
    """`[start, end)` (code points) was replaced by `n_inserted` code points."""

    start: int
    end: int
    n_inserted: int


def utf16_length(text: str) -> int:
    """Return the length of `text` in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8_length(text: str) -> int:
    """Return the length of `text` in UTF-8 bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def text_hash(text: str) -> bytes:
    """Return the 16 bytes by which the index tells one text from another."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@frozen
class Run:
    """Some lines that follow each other: the number of the first, and where they begin, counted
    from `start`.
    """

    first_line: int
    start: int
    starts: Sequence[int]


class LineIndex:
    """Where the lines of one text begin, in runs; frozen. `runs` are those of a text that was
    edited, whose lines are known.
    """

    def __init__(self, text: str, runs: Sequence[Run] = ()) -> None:
        self.text = text
        self._runs = runs or (Run(0, 0, (0, *line_ends(text))),)
        self._last = (0, Anchor(0, 0, 0))

    @property
    def n_lines(self) -> int:
        return self._runs[-1].first_line + len(self._runs[-1].starts)

    def line_of(self, offset: int) -> int:
        """Return the line (from 0) that holds code point `offset`."""
        run = self._runs[self._run_of(offset)]
        return run.first_line + bisect_right(run.starts, offset - run.start) - 1

    def line_span(self, line: int) -> Span:
        """Return a line's span, its line end included."""
        end = self._start_of(line + 1) if line + 1 < self.n_lines else len(self.text)
        return Span(self._start_of(line), end)

    def anchor(self, offset: int) -> Anchor:
        """Return the place of code point `offset` in both encodings.

        It goes on from the last place asked for if that is in the same line, so that the
        passages of a line of megabytes are placed in linear time.
        """
        line = self.line_of(offset)
        known, place = self._last
        if place.line != line or known > offset:
            known, place = self._start_of(line), Anchor(line, 0, 0)
        between = self.text[known:offset]
        found = Anchor(line, place.utf16 + utf16_length(between), place.utf8 + utf8_length(between))
        self._last = (offset, found)
        return found

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """Return the code point at an LSP position.

        One past the end of a line or of the text is brought back to that end, one inside a
        character to its start.
        """
        if line < 0:
            return 0
        if line >= self.n_lines:
            return len(self.text)
        span = self.line_span(line)
        content = self.text[span.start : span.end].rstrip("\r\n")
        return span.start + code_points(content, character, encoding)

    def _run_of(self, offset: int) -> int:
        return max(0, bisect_right(self._runs, offset, key=_run_start) - 1)

    def _start_of(self, line: int) -> int:
        run = self._runs[bisect_right(self._runs, line, key=_run_first_line) - 1]
        return run.start + run.starts[line - run.first_line]


_run_start: Callable[[Run], int] = attrgetter("start")
_run_first_line: Callable[[Run], int] = attrgetter("first_line")


def line_ends(text: str) -> list[int]:
    """Return the code points behind the line ends of `text`."""
    if "\r" in text:
        return [match.end() for match in _LINE_END.finditer(text)]
    *lines, _ = text.split("\n")
    return [end + n for n, end in enumerate(accumulate(map(len, lines)), 1)]


def code_points(line: str, units: int, encoding: Encoding) -> int:
    """Return how many code points of `line` fit into `units` code units."""
    if units <= 0:
        return 0
    length = utf16_length if encoding == "utf-16" else utf8_length
    head = line[:units]
    if length(head) == len(head):
        return len(head)
    return bisect_right(range(1, len(head) + 1), units, key=lambda n: length(head[:n]))


def moved(span: Span, edits: Sequence[Edit]) -> Span | None:
    """Return where `span` lies after `edits`, made in this order; None once it is gone.

    What is typed at an edge stays outside. An edit inside makes the span longer or shorter;
    one across an edge takes what it covered, and its own text stays outside.
    """
    start, end = span.start, span.end
    for edit in edits:
        shift = edit.n_inserted - (edit.end - edit.start)
        if edit.start >= end:
            continue
        if edit.end <= start:
            start, end = start + shift, end + shift
        elif edit.start <= start and edit.end >= end:
            return None
        elif edit.start < start:
            start, end = edit.start + edit.n_inserted, end + shift
        elif edit.end > end:
            end = edit.start
        else:
            end += shift
    return Span(start, end)


def difference(old: str, new: str) -> Edit | None:
    """Return the one edit that makes `new` of `old` by common head and tail, None if equal."""
    if old == new:
        return None
    limit = min(len(old), len(new))
    head = _common(old, new, limit)
    tail = _common(old[head:][::-1], new[head:][::-1], limit - head)
    return Edit(head, len(old) - tail, len(new) - head - tail)


def _common(one: str, other: str, limit: int) -> int:
    """Return the length of the common prefix, by halving so that C does the comparing."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
