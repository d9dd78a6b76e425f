"""A PDF as the core sees it: what was read from one, and the readable document made of it.

The readable document is Markdown. Passages are cut from it as from a note, so a passage's text is
exactly that document's text in its range; pages and boxes come from the blocks it was made of.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from attrs import evolve, field, frozen

from notekin.core import note
from notekin.core.note import Document, Span
from notekin.core.outline import Outline
from notekin.core.pages import Box, PageRange

BlockKind = Literal["heading", "paragraph", "list", "table", "code", "caption"]


@frozen
class Block:
    """A piece of a page, in reading order. `page` counts from 1; `level` is 1 to 6 for a heading,
    else 0.

    `text` has no Markdown but for what follows: a list holds an item a line, each with its marker
    (`- ` or `1. `), deeper ones indented by two spaces; a table is a Markdown table, a row a line.
    Code keeps its lines and its indentation. In the others white space means nothing.
    """

    kind: BlockKind
    text: str
    page: int
    box: Box
    level: int = 0


@frozen
class PdfContent:
    """What the layout of a PDF says, without headers, footers and page numbers.

    `title` is the one that the file names, "" where it names none. `warnings` are sentences for
    the person (damaged, pages left out …). `ocr` tells that text was read from images.
    """

    title: str
    n_pages: int
    blocks: tuple[Block, ...]
    warnings: tuple[str, ...] = ()
    ocr: bool = False


@frozen
class RawPdf:
    """The bare text of a PDF, a string a page (as many as `n_pages`, but for a page cap)."""

    n_pages: int
    pages: tuple[str, ...]
    title: str = ""
    warnings: tuple[str, ...] = ()


@frozen
class PlacedBlock:
    """Where a block of a PDF stands in its readable document, and on which page."""

    span: Span
    page: int
    box: Box | None


@frozen
class ReadablePdf:
    """The readable document of a PDF. `placed` stands in document order. `apart`: no passage holds
    more than one of its blocks.
    """

    document: Document
    placed: tuple[PlacedBlock, ...]
    apart: bool = False
    _starts: tuple[int, ...] = field(init=False, repr=False)
    _ends: tuple[int, ...] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_starts", tuple(each.span.start for each in self.placed))
        object.__setattr__(self, "_ends", tuple(each.span.end for each in self.placed))

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def pieces(self) -> Iterator[Document]:
        """Yield the document with the blocks of which passages may be made together."""
        if not self.apart:
            yield self.document
            return
        for block in self.document.blocks:
            yield evolve(self.document, blocks=(block,))

    def pages(self, span: Span) -> PageRange | None:
        """Return the pages of what stands in `span`, None where no block does."""
        first = bisect_right(self._ends, span.start)
        found = self.placed[first : bisect_left(self._starts, span.end)]
        if not found:
            return None
        numbers = [each.page for each in found]
        boxes = ((each.page, each.box) for each in found if each.box is not None)
        starts = ((max(0, each.span.start - span.start), each.page) for each in found)
        return PageRange(
            first=min(numbers),
            last=max(numbers),
            boxes=tuple(dict.fromkeys(boxes)),
            starts=_turns(starts) if min(numbers) < max(numbers) else (),
        )


def readable(content: PdfContent) -> ReadablePdf:
    """Return the readable document of a PDF whose layout is known."""
    pieces = [(block, _markdown(block)) for block in content.blocks]
    return _assembled(content.title, [(block, text) for block, text in pieces if text])


def readable_raw(raw: RawPdf) -> ReadablePdf:
    """Return the readable document of a PDF's bare text: a paragraph a page, and each by itself,
    so that a passage is of one page.
    """
    whole = (0.0, 0.0, 0.0, 0.0)
    pages = (
        (Block("paragraph", text, number, whole), _lines(text))
        for number, text in enumerate(raw.pages, start=1)
    )
    made = _assembled(raw.title, [(block, text) for block, text in pages if text])
    placed = tuple(PlacedBlock(each.span, each.page, None) for each in made.placed)
    return ReadablePdf(made.document, placed, apart=True)


def _turns(starts: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return of the starts of blocks, each with its page, those that begin another page."""
    return tuple(next(run) for _, run in groupby(starts, key=lambda each: each[1]))


_GAP = "\n\n"
_SPACE_BEFORE_END = re.compile(r"[^\S\n]+(?=\n)")
_BLANK_LINES = re.compile(r"\n{3,}")
_LINE_ENDS = re.compile(r"\r\n?|[\f\v\x1c-\x1e\x85\u2028\u2029]")
# What would begin something else than a paragraph.
_MARK = re.compile(r"\A(\d{1,9}(?=[.)]\s)|(?=#{1,6}\s|```|~~~|>|[-+*]\s))")
_FENCE = re.compile(r"`{3,}")

_KINDS: dict[BlockKind, note.BlockKind] = {
    "heading": "heading",
    "paragraph": "paragraph",
    "caption": "paragraph",
    "list": "list",
    "table": "table",
    "code": "code",
}


def _markdown(block: Block) -> str:
    """Return a block as Markdown, "" when it has no text. No line ends with white space."""
    if block.kind == "code":
        lines = _SPACE_BEFORE_END.sub("", _LINE_ENDS.sub("\n", block.text) + "\n").strip("\n")
        fence = max(["```", *(f"{run}`" for run in _FENCE.findall(lines))], key=len)
        return f"{fence}\n{lines}\n{fence}" if lines.strip() else ""
    if block.kind in ("list", "table"):
        return _lines(block.text)
    text = " ".join(block.text.split())
    if block.kind == "heading":
        return f"{'#' * min(max(block.level, 1), 6)} {text}" if text else ""
    return _MARK.sub(r"\1\\", text)


def _lines(text: str) -> str:
    """Return `text` with its lines, without white space at their ends and without wide gaps."""
    ended = _SPACE_BEFORE_END.sub("", _LINE_ENDS.sub("\n", text) + "\n")
    return _BLANK_LINES.sub(_GAP, ended).strip()


def _assembled(title: str, pieces: Sequence[tuple[Block, str]]) -> ReadablePdf:
    outline = Outline()
    blocks: list[note.Block] = []
    placed: list[PlacedBlock] = []
    for (block, _), span in zip(pieces, _spans([text for _, text in pieces]), strict=True):
        if block.kind == "heading":
            outline.enter(block.level, " ".join(block.text.split()))
        blocks.append(note.Block(_KINDS[block.kind], span, outline.path))
        placed.append(PlacedBlock(span, block.page, block.box))
    text = _GAP.join(text for _, text in pieces)
    document = Document(
        text=f"{text}\n" if text else "",
        kind="pdf",
        title=" ".join(title.split()) or outline.title,
        blocks=tuple(blocks),
    )
    return ReadablePdf(document, tuple(placed))


def _spans(texts: Sequence[str]) -> Iterator[Span]:
    start = 0
    for text in texts:
        yield Span(start, start + len(text))
        start += len(text) + len(_GAP)
