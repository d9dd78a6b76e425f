r"""A text in pieces, edited in place: an edit touches the pieces it lies in, whatever the size.

Places are found by sums over the pieces (of code points, line ends and an encoding's units),
kept as far as somebody asked since they changed. No `\r\n` is ever cut in two, so that line ends
can be counted piece by piece.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter

from attrs import field, frozen

from notekin.core.text import (
    Encoding,
    LineIndex,
    Run,
    code_points,
    line_ends,
    text_hash,
    utf8_length,
    utf16_length,
)

# Short enough that to cut one costs microseconds, long enough that a megabyte has few of them.
_PIECE = 2048
# So many pieces more are summed up at once.
_STEP = 64


@frozen(slots=False, eq=False)
class Piece:
    """Some text that never changes, and what it counts for."""

    text: str = field(repr=False)
    n_points: int
    n_line_ends: int
    n_utf16: int
    n_utf8: int

    @classmethod
    def of(cls, text: str) -> "Piece":
        n_line_ends = text.count("\n") + text.count("\r") - text.count("\r\n")
        return cls(text, len(text), n_line_ends, utf16_length(text), utf8_length(text))

    @cached_property
    def ends(self) -> Sequence[int]:
        """Behind each line end, in code points from the beginning of the piece."""
        return tuple(line_ends(self.text))


_Measure = Callable[[Piece], int]
_POINTS: _Measure = attrgetter("n_points")
_LINE_ENDS: _Measure = attrgetter("n_line_ends")
_UNITS: dict[Encoding, _Measure] = {"utf-16": attrgetter("n_utf16"), "utf-8": attrgetter("n_utf8")}


@frozen(slots=False, eq=False)
class Content:
    """A text as it was at one moment, put together when somebody reads it; from any thread."""

    _pieces: Sequence[Piece] = field(repr=False)

    @classmethod
    def of(cls, text: str) -> "Content":
        """Return `text` as content."""
        return cls(tuple(_cut(text)))

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "".join([piece.text for piece in self._pieces])

    @cached_property
    def hash(self) -> bytes:
        """As the index has it."""
        return text_hash(self.text)

    @cached_property
    def lines(self) -> LineIndex:
        """The lines, of which those of unchanged pieces are known from the text before."""
        runs = [Run(0, 0, (0,))]
        line, start = 1, 0
        for piece in self._pieces:
            if piece.ends:
                runs.append(Run(line, start, piece.ends))
            line += piece.n_line_ends
            start += piece.n_points
        return LineIndex(self.text, runs)


class _Sums:
    """How much of one measure stands before each piece."""

    def __init__(self, measure: _Measure) -> None:
        self._measure = measure
        self._known = [0]

    def before(self, number: int, pieces: Sequence[Piece]) -> int:
        """Return the sum before a piece; its number may be that behind the last one."""
        while len(self._known) <= number:
            self._extend(pieces)
        return self._known[number]

    def holding(self, amount: int, pieces: Sequence[Piece]) -> int:
        """Return the last piece with at most `amount` before it, the last of all at most."""
        self._reach(amount, pieces)
        return min(bisect_right(self._known, amount), len(pieces)) - 1

    def reaching(self, amount: int, pieces: Sequence[Piece]) -> int:
        """Return the first piece with at least `amount` up to its end."""
        self._reach(amount, pieces)
        return bisect_left(self._known, amount) - 1

    def cut(self, number: int) -> None:
        """Forget what stands behind a piece's beginning: it changed."""
        del self._known[number + 1 :]

    def _reach(self, amount: int, pieces: Sequence[Piece]) -> None:
        while self._known[-1] <= amount and len(self._known) <= len(pieces):
            self._extend(pieces)

    def _extend(self, pieces: Sequence[Piece]) -> None:
        n_known = len(self._known)
        more = map(self._measure, pieces[n_known - 1 : n_known - 1 + _STEP])
        self._known.extend(accumulate(more, initial=self._known.pop()))


class Rope:
    """A text that is edited. Offsets are code points."""

    def __init__(self, text: str) -> None:
        self._pieces = list(_cut(text))
        self._points = _Sums(_POINTS)
        self._line_ends = _Sums(_LINE_ENDS)
        self._units = {encoding: _Sums(measure) for encoding, measure in _UNITS.items()}

    def content(self) -> Content:
        """Return the text as it is now."""
        return Content(tuple(self._pieces))

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """Return the code point at an LSP position, clamped as `LineIndex.offset` does."""
        if line < 0:
            return 0
        begin = self._behind_line_end(line)
        if begin is None:
            return self._points.before(len(self._pieces), self._pieces)
        number, first = begin
        piece = self._pieces[number]
        nth = bisect_right(piece.ends, first)
        if nth < len(piece.ends):
            content = piece.text[first : _before_line_end(piece.text, piece.ends[nth])]
            head = self._points.before(number, self._pieces) + first
            return head + code_points(content, character, encoding)
        return self._offset_of_long(begin, self._end_of(line), character, encoding)

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in the place of `[start, end)`."""
        first = self._points.holding(start, self._pieces)
        last = self._points.holding(end, self._pieces)
        head = start - self._points.before(first, self._pieces)
        tail = end - self._points.before(last, self._pieces)
        new = self._pieces[first].text[:head] + text + self._pieces[last].text[tail:]
        # Where the new text meets its neighbours, a CR and an LF may become one line end.
        if first > 0 and self._pieces[first - 1].text.endswith("\r"):
            first -= 1
            new = self._pieces[first].text + new
        if last + 1 < len(self._pieces) and (len(new) < _PIECE // 2 or new.endswith("\r")):
            last += 1
            new += self._pieces[last].text
        self._pieces[first : last + 1] = _cut(new)
        for sums in (self._points, self._line_ends, *self._units.values()):
            sums.cut(first)

    def _behind_line_end(self, nth: int) -> tuple[int, int] | None:
        """Return a piece and the place in it behind the `nth` line end, counted from 1; 0 is the
        beginning of the text. None when there are fewer.
        """
        if nth == 0:
            return 0, 0
        number = self._line_ends.reaching(nth, self._pieces)
        if number >= len(self._pieces):
            return None
        before = self._line_ends.before(number, self._pieces)
        return number, self._pieces[number].ends[nth - before - 1]

    def _end_of(self, line: int) -> tuple[int, int]:
        """Return a piece and the place in it where a line's text ends."""
        behind = self._behind_line_end(line + 1)
        if behind is None:
            return len(self._pieces) - 1, self._pieces[-1].n_points
        return behind[0], _before_line_end(self._pieces[behind[0]].text, behind[1])

    def _offset_of_long(
        self, begin: tuple[int, int], end: tuple[int, int], character: int, encoding: Encoding
    ) -> int:
        """Return the code point at `character` of a line that may go on over many pieces."""
        wanted = self._unit_at(begin, encoding) + max(0, character)
        if wanted >= self._unit_at(end, encoding):
            return self._points.before(end[0], self._pieces) + end[1]
        number = self._units[encoding].holding(wanted, self._pieces)
        rest = wanted - self._units[encoding].before(number, self._pieces)
        head = self._points.before(number, self._pieces)
        return head + code_points(self._pieces[number].text, rest, encoding)

    def _unit_at(self, place: tuple[int, int], encoding: Encoding) -> int:
        length = utf16_length if encoding == "utf-16" else utf8_length
        number, offset = place
        within = length(self._pieces[number].text[:offset])
        return self._units[encoding].before(number, self._pieces) + within


def _before_line_end(text: str, end: int) -> int:
    """Return where the line end begins that ends at `end`."""
    return end - 2 if text.endswith("\r\n", 0, end) else end - 1


def _cut(text: str) -> Iterable[Piece]:
    """Yield `text` in pieces; one that is empty for none."""
    start, n_points = 0, len(text)
    while n_points - start > 2 * _PIECE:
        end = start + _PIECE
        end += text.startswith("\n", end) and text.endswith("\r", start, end)
        yield Piece.of(text[start:end])
        start = end
    yield Piece.of(text[start:])
