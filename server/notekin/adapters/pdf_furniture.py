"""What stands on page after page around the text: headers, footers, page numbers. Pure."""

from collections import Counter
from collections.abc import Sequence

import regex
from attrs import evolve, frozen

from notekin.adapters.pdf_headings import MODEL_KINDS, Style, body_size, style_of
from notekin.adapters.pdf_layout import Piece
from notekin.core.pages import Box

_MARGIN = 0.12  # of the page's height
_N_PAGES = 3  # what stands at one place on fewer pages is not said to be repeated
_MANY_PAGES = 4
_N_LINES = 3
_LARGER = 1.15  # than the text: a title, whatever repeats it
_LONG = 160  # characters: more than a header says
_DIGITS = regex.compile(r"\d+|\b[ivxlcdm]+\b", regex.IGNORECASE)
_ROMAN = r"(?=[ivxlcdm])m{0,3}(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})"
_PAGE_NUMBER = regex.compile(
    rf"\W*(?:(?:page|seite|p\.|s\.)\s*)?(?:\d{{1,4}}|{_ROMAN})(?:\s*(?:/|of|von|sur|de)\s*\d{{1,4}})?\W*",
    regex.IGNORECASE,
)

_Key = tuple[str, bool, int]


@frozen
class _Seen:
    """What the margins hold, on how many pages; what headings look like."""

    n_pages: int
    body: float
    keys: Counter[_Key]
    looks: Counter[Style]


def without_furniture(
    pages: Sequence[Sequence[Piece]], sizes: Sequence[tuple[float, float]]
) -> list[list[Piece]]:
    """Return the pieces of all pages without what surrounds the text. `sizes` are the pages'
    widths and heights.
    """
    seen = _Seen(
        len(pages), body_size(piece for pieces in pages for piece in pieces), Counter(), Counter()
    )
    for pieces, size in zip(pages, sizes, strict=True):
        seen.keys.update({_key(piece, size) for piece in pieces if _in_margin(piece.box, size)})
        seen.looks.update(style_of(piece) for piece in pieces if piece.kind in MODEL_KINDS)
    kept = [
        [whole for piece in pieces if (whole := _kept(piece, size, seen)) is not None]
        for pieces, size in zip(pages, sizes, strict=True)
    ]
    # What is left is the text; where nothing is, what repeats is all the text there is.
    return kept if any(kept) else [list(pieces) for pieces in pages]


def _kept(piece: Piece, size: tuple[float, float], seen: _Seen) -> Piece | None:
    """Return the piece, as what it is, None when it surrounds the text."""
    marked = piece.kind in ("page-header", "page-footer")
    if not marked and not _in_margin(piece.box, size):
        return piece
    n_times = seen.keys[_key(piece, size)]
    is_short = len(piece.lines) < _N_LINES and len(piece.text) < _LONG
    is_large = piece.lines[0].peak > seen.body * _LARGER
    if _PAGE_NUMBER.fullmatch(piece.text):
        return None
    if is_short and not is_large and n_times >= _N_PAGES:
        return None
    if not marked:
        return piece
    if n_times <= 1 and seen.looks[style_of(piece)] > 1 and piece.kind == "page-header":
        # A heading at the very top of a page: it looks as others do, and does not come again.
        return evolve(piece, kind="section-header")
    # On few pages little can be seen to repeat, and a title is easily taken for a header.
    few = n_times <= 1 and seen.n_pages < _MANY_PAGES
    return evolve(piece, kind="text") if few or is_large or not is_short else None


def _in_margin(box: Box, size: tuple[float, float]) -> bool:
    height = size[1] or 1.0
    return box[3] <= height * _MARGIN or box[1] >= height * (1 - _MARGIN)


def _key(piece: Piece, size: tuple[float, float]) -> _Key:
    """What stands at the top (or bottom) with other numbers is the same: "Chapter 3, page 7".
    A heading that headers repeat is larger than they are.
    """
    text = _DIGITS.sub("#", piece.text).casefold()
    return " ".join(text.split()), piece.box[1] > size[1] / 2, round(piece.lines[0].size)
