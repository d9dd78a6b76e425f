"""Lines and positions of a text.

Only `\\n`, `\\r\\n` and `\\r` end a line, as in LSP; `str.splitlines` knows more (form feed,
U+2028 …) and would shift every line below one.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from hashlib import blake2b
from typing import Literal

from attrs import frozen

from notekin.core.note import Span

Encoding = Literal["utf-16", "utf-8"]

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


class LineIndex:
    """Where the lines of one text begin; built once a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    @property
    def n_lines(self) -> int:
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """Return the line (from 0) that holds code point `offset`."""
        return bisect_right(self._starts, offset) - 1

    def line_span(self, line: int) -> Span:
        """Return a line's span, its line end included."""
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        return Span(self._starts[line], end)

    def anchor(self, offset: int) -> Anchor:
        """Return the place of code point `offset` in both encodings."""
        line = self.line_of(offset)
        before = self.text[self._starts[line] : offset]
        return Anchor(line, utf16_length(before), utf8_length(before))

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """Return the code point at an LSP position; one past the end of a line or of the text
        is brought back to that end, one inside a character to its start."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        span = self.line_span(line)
        content = self.text[span.start : span.end].rstrip("\r\n")
        return span.start + _code_points(content, character, encoding)


def _code_points(line: str, units: int, encoding: Encoding) -> int:
    """Return how many code points of `line` fit into `units` code units."""
    if line.isascii():
        return max(0, min(units, len(line)))
    codec = "utf-16-le" if encoding == "utf-16" else "utf-8"
    width = 2 if encoding == "utf-16" else 1
    head = line.encode(codec, "surrogatepass")[: max(0, units) * width]
    # "ignore" drops a character that `units` would cut; lone surrogates count as they are.
    return len(head.decode(codec, "surrogatepass" if _whole(head, codec) else "ignore"))


def _whole(head: bytes, codec: str) -> bool:
    try:
        head.decode(codec, "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def moved(span: Span, edits: Sequence[Edit]) -> Span:
    """Return where `span` lies after `edits` (in order): what is typed inside or at an edge
    shrinks or grows it only when the edit touches its inside; an empty span says it is gone."""
    start, end = span.start, span.end
    for edit in edits:
        shift = edit.n_inserted - (edit.end - edit.start)
        if edit.end <= start and (edit.end < start or edit.start < edit.end or start < end):
            start, end = start + shift, end + shift
        elif edit.start >= end:
            continue
        else:
            new_start = min(start, edit.start)
            new_end = max(end, edit.end) + shift
            if edit.start <= start and edit.end >= end:
                new_end = new_start
            start, end = new_start, new_end
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
