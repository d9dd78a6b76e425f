"""Reading plain text: paragraphs between blank lines, and the headings of Org and RST."""

import re
from collections.abc import Callable, Iterator, Sequence

from attrs import define, field, frozen

from notekin.core.note import Block, Document, Span
from notekin.core.outline import Outline
from notekin.core.text import BYTE_ORDER_MARK, LineIndex

_STARS = re.compile(r"(\*+)[ \t]+(?:(?:TODO|DONE)[ \t]+)?(.*?)(?:[ \t]+:[\w@#%:]+:)?\s*\Z")
_ORG_TITLE = re.compile(r"#\+title:[ \t]*(.*?)\s*\Z", re.IGNORECASE)
_UNDERLINE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}\s*\Z")


@frozen
class _Heading:
    level: int
    text: str
    n_lines: int


_FindHeading = Callable[[Sequence[str], int], "_Heading | None"]


def read_text(text: str, suffix: str = "txt") -> Document:
    """Return the paragraphs of `text`; with suffix `org` or `rst` its headings too."""
    index = LineIndex(text)
    spans = [index.line_span(line) for line in range(index.n_lines)]
    if text.startswith(BYTE_ORDER_MARK):
        spans[0] = Span(len(BYTE_ORDER_MARK), spans[0].end)
    lines = [text[span.start : span.end] for span in spans]
    outline = Outline(_org_title(lines) if suffix == "org" else "")
    blocks = tuple(_blocks(lines, spans, _finder(suffix), outline))
    return Document(text=text, kind="text", title=outline.title, blocks=blocks)


def _blocks(
    lines: Sequence[str], spans: Sequence[Span], find: _FindHeading, outline: Outline
) -> Iterator[Block]:
    first: int | None = None
    line = 0
    while line < len(lines):
        heading = find(lines, line)
        if first is not None and (heading or not lines[line].strip()):
            yield Block("paragraph", _span(spans, first, line), outline.path)
            first = None
        if heading:
            path = outline.enter(heading.level, heading.text)
            yield Block("heading", _span(spans, line, line + heading.n_lines), path)
            line += heading.n_lines
            continue
        if first is None and lines[line].strip():
            first = line
        line += 1
    if first is not None:
        yield Block("paragraph", _span(spans, first, len(lines)), outline.path)


def _span(spans: Sequence[Span], first: int, stop: int) -> Span:
    return Span(spans[first].start, spans[stop - 1].end)


def _finder(suffix: str) -> _FindHeading:
    if suffix == "org":
        return _org_heading
    if suffix == "rst":
        return _RstHeadings()
    return lambda _lines, _line: None


def _org_heading(lines: Sequence[str], line: int) -> _Heading | None:
    match = _STARS.match(lines[line]) if lines[line].startswith("*") else None
    return _Heading(len(match[1]), match[2], 1) if match and match[2] else None


def _org_title(lines: Sequence[str]) -> str:
    for line in lines:
        if not line.startswith("#"):
            break
        match = _ORG_TITLE.match(line)
        if match:
            return match[1]
    return ""


@define
class _RstHeadings:
    """RST has no fixed order of underlines: the first one met is the highest level."""

    _marks: list[str] = field(factory=list[str])

    def __call__(self, lines: Sequence[str], line: int) -> _Heading | None:
        over = bool(_UNDERLINE.match(lines[line]))
        title, under = line + over, line + over + 1
        if under >= len(lines) or not lines[title].strip() or _UNDERLINE.match(lines[title]):
            return None
        match = _UNDERLINE.match(lines[under])
        text = lines[title].strip()
        if not match or len(lines[under].rstrip()) < len(text):
            return None
        if over and lines[line].strip() != lines[under].strip():
            return None
        mark = match[1] * (1 + over)
        if mark not in self._marks:
            self._marks.append(mark)
        return _Heading(self._marks.index(mark) + 1, text, 2 + over)
