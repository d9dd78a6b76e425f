"""The paragraph around a place in a text, found without parsing the whole note."""

import re

from notekin.core.note import Span
from notekin.core.text import LineIndex

_HEADING = re.compile(r"\s*#{1,6}(?:\s|$)")
_REACH = 2_000


def paragraph_at(text: str, offset: int) -> Span:
    """Return the span of the lines between the blank lines around code point `offset`.

    On a blank line it is the paragraph before, at the very top the one after. A paragraph that
    is only a heading takes the next one along, for a heading alone says little. It reaches at
    most 2,000 code points to either side.
    """
    start = max(0, min(offset, len(text)) - _REACH)
    window = LineIndex(text[start : start + 2 * _REACH])
    blank = [not _content(window, line).strip() for line in range(window.n_lines)]
    here = _nearest(blank, window.line_of(min(offset, len(text)) - start))
    if here is None:
        return Span(offset, offset)
    first, last = _grown(blank, here)
    if first == last and _HEADING.match(_content(window, first)):
        following = next((n for n in range(last + 1, window.n_lines) if not blank[n]), last)
        last = _grown(blank, following)[1]
    end = window.line_span(last).start + len(_content(window, last))
    return Span(start + window.line_span(first).start, start + end)


def _content(lines: LineIndex, line: int) -> str:
    span = lines.line_span(line)
    return lines.text[span.start : span.end].rstrip("\r\n")


def _nearest(blank: list[bool], line: int) -> int | None:
    """Return the line itself, else the nearest above, else the nearest below with content."""
    order = (*range(line, -1, -1), *range(line + 1, len(blank)))
    return next((n for n in order if not blank[n]), None)


def _grown(blank: list[bool], line: int) -> tuple[int, int]:
    first = last = line
    while first > 0 and not blank[first - 1]:
        first -= 1
    while last + 1 < len(blank) and not blank[last + 1]:
        last += 1
    return first, last
