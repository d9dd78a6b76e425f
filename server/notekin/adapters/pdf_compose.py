"""From the pages of a PDF to its content: blocks in reading order, without what surrounds them.
Pure.
"""

from collections.abc import Iterable, Sequence

import regex
from attrs import evolve

from notekin.adapters.pdf_furniture import without_furniture
from notekin.adapters.pdf_headings import Entry, heading_levels, split_at_titles
from notekin.adapters.pdf_layout import Line, Piece, pieces_of
from notekin.adapters.pdf_table import as_markdown
from notekin.adapters.pdf_values import PageDraft
from notekin.adapters.pdf_writing import (
    Mend,
    Words,
    joined,
    readable_characters,
    union,
    with_whole_word,
)
from notekin.core.pdf import Block, BlockKind

_WORD = regex.compile(r"\w")
_BULLET = regex.compile(
    r"(?:[\u2022\u25e6\u25aa\u2023\u2043\u2219\u00b7\u25cf\u25cb\u25a0\u25a1\u27a2\u2713\ufffd*]\s*"
    r"|[-\u2013\u2014]\s+)(?=\S)"
)
_NUMBER = regex.compile(r"(\d{1,3})[.)]\s+(?=\S)")
_LETTERED = regex.compile(r"(?:[a-z][.)]|\([a-z0-9]{1,4}\))\s+(?=\S)")
_MOST_TITLE = 300  # characters
_INDENT = 8.0  # points
_MOSTLY = 0.6  # a document with more of it in a monospaced font is typewritten, not code
_CODE_LINES = 2
_FILE_NAME = regex.compile(
    r"\.(?:docx?|pdf|tex|dvi|indd|qxd|rtf|odt|pptx?|xlsx?|pages)$", regex.IGNORECASE
)
_PROGRAM = regex.compile(r"^(?:Microsoft Word|PowerPoint Presentation|Microsoft PowerPoint)\s*-\s*")
_NO_TITLE = regex.compile(
    r"(?:untitled|unbenannt|sans titre|title|document|slide)\W*\d*", regex.IGNORECASE
)


def blocks_of(drafts: Sequence[PageDraft], outline: Sequence[Entry]) -> tuple[Block, ...]:
    """Return the blocks of a document's pages, in reading order."""
    pages = without_furniture(
        [pieces_of(draft) for draft in drafts], [(draft.width, draft.height) for draft in drafts]
    )
    readable = (piece for page in pages for piece in page if _WORD.search(piece.text))
    pieces = list(split_at_titles(readable, outline))
    levels = heading_levels(pieces, outline)
    return tuple(_Composer(pieces).composed(levels))


def readable_title(title: str) -> str:
    """Return the title that a file gives itself, "" when it is a file's or no name; of one that
    is a text of its own, the beginning.
    """
    plain = " ".join(readable_characters(_PROGRAM.sub("", title)).split())
    if len(plain) > _MOST_TITLE:
        plain = plain[:_MOST_TITLE].rpartition(" ")[0] or plain[:_MOST_TITLE]
    if _FILE_NAME.search(plain) or _NO_TITLE.fullmatch(plain) or not _WORD.search(plain):
        return ""
    return plain


class _Composer:
    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._words = Words(line.text for piece in pieces for line in piece.lines)
        n_mono = n_all = 0
        for piece in pieces:
            for line in piece.lines:
                n_all += len(line.text)
                n_mono += len(line.text) if line.mono else 0
        self._typewritten = n_mono > _MOSTLY * n_all

    def composed(self, levels: dict[int, int]) -> Iterable[Block]:
        blocks: list[Block] = []
        waiting: list[Piece] = []
        for number, piece in enumerate(self._pieces):
            kind = "heading" if number in levels else self._kind(piece)
            if waiting and (kind != self._kind(waiting[-1]) or waiting[-1].page != piece.page):
                blocks.append(self._together(waiting))
                waiting = []
            if kind in ("list", "code"):
                waiting.append(piece)
                continue
            blocks.append(self._block(piece, kind, levels.get(number, 0)))
        if waiting:
            blocks.append(self._together(waiting))
        return whole_words([block for block in blocks if block.text.strip()], self._words.mended)

    def _kind(self, piece: Piece) -> BlockKind:
        if piece.rows:
            return "table"
        if piece.kind == "list-item":
            return "list"
        if piece.kind == "caption":
            return "caption"
        is_mono = len(piece.lines) >= _CODE_LINES and all(line.mono for line in piece.lines)
        return "code" if is_mono and not self._typewritten else "paragraph"

    def _block(self, piece: Piece, kind: BlockKind, level: int) -> Block:
        text = as_markdown(piece.rows) if kind == "table" else self._prose(piece.lines)
        return Block(kind, text, piece.page, piece.box, level)

    def _prose(self, lines: Sequence[Line]) -> str:
        text = ""
        for line in lines:
            text = joined(text, line.text, self._words.mended)
        return text

    def _together(self, pieces: Sequence[Piece]) -> Block:
        box = union(piece.box for piece in pieces)
        lines = [line for piece in pieces for line in piece.lines]
        if self._kind(pieces[0]) == "code":
            return Block("code", _code(lines), pieces[0].page, box)
        items: list[tuple[float, list[Line]]] = []
        for piece in pieces:
            for number, line in enumerate(piece.lines):
                if number == 0 or _marker(line.text) is not None:
                    items.append((line.x, [line]))
                else:
                    items[-1][1].append(line)
        edges = _edges(x for x, _ in items)
        texts = [
            "  " * sum(edge < x - _INDENT for edge in edges) + _item(self._prose(held))
            for x, held in items
        ]
        return Block("list", "\n".join(texts), pieces[0].page, box)


def whole_words(blocks: Sequence[Block], mend: Mend) -> list[Block]:
    """Let a word that a column's or page's end breaks stand whole in the first of its blocks."""
    whole: list[Block] = []
    for block in blocks:
        kept = block
        if whole and whole[-1].kind == block.kind == "paragraph":
            texts = with_whole_word(whole[-1].text, block.text, mend)
            if texts is not None:
                whole[-1] = evolve(whole[-1], text=texts[0])
                kept = evolve(block, text=texts[1].lstrip())
        if kept.text:
            whole.append(kept)
    return whole


def _edges(starts: Iterable[float]) -> list[float]:
    edges: list[float] = []
    for x in sorted(starts):
        if not edges or x - edges[-1] > _INDENT:
            edges.append(x)
    return edges


def _marker(text: str) -> str | None:
    """Return how Markdown marks an item that begins so, None when the line begins none."""
    number = _NUMBER.match(text)
    if number is not None:
        return f"{number[1]}. "
    return "- " if _BULLET.match(text) or _LETTERED.match(text) else None


def _item(text: str) -> str:
    marker = _marker(text) or "- "
    found = _NUMBER.match(text) or _BULLET.match(text)
    return marker + (text[found.end() :] if found is not None else text)


def _code(lines: Sequence[Line]) -> str:
    """Return lines of code with their indentation, by the width of their characters."""
    widths = [(line.box[2] - line.box[0]) / max(len(line.text), 1) for line in lines]
    width = sorted(widths)[len(widths) // 2] or 1.0
    left = min(line.x for line in lines)
    return "\n".join(" " * round((line.x - left) / width) + line.text for line in lines)
