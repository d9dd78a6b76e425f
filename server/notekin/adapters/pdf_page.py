"""One page of a PDF as PyMuPDF gives it: its pieces of text, and the regions its layout model sees.

Imported in the child only. What comes out is plain values; the rest of the way is pure.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve

from notekin.adapters.pdf_mupdf import Page, TextPage, pymupdf
from notekin.adapters.pdf_values import Fragment, Grid, PageDraft, Region, Word
from notekin.adapters.pdf_writing import is_right_to_left, mended_ligatures, readable_characters
from notekin.core.pages import Box

_BARE = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_TEXT = (
    _BARE
    | pymupdf.TEXT_COLLECT_STYLES
    # The boxes that the layout model goes by; without it they are as tall as the font allows.
    | pymupdf.TEXT_ACCURATE_BBOXES
)
_STRUCTURE = 2  # the type of a block that is an element of the tags
_PICTURE_CLASSES = ("picture", "formula")
_EDGE = 0.12  # of the page's width or height
_MOSTLY = 0.6  # of the page's area
# Lines and curves; a word drawn in outlines has more of them than a ruled page.
_LEAST_STROKES = 60
_LEAST_REGION = 2.0  # points; what is thinner is noise


def read_fragments(page: Page) -> list[Fragment]:
    """Return the lines of text in the order of the file, characters made readable, with the
    headings that the file's tags name.
    """
    return _read(page, _TEXT | pymupdf.TEXT_COLLECT_STRUCTURE, None)


def read_bare(page: Page, textpage: TextPage | None = None) -> list[Fragment]:
    """Return the same in a fifth of the time, without tags and fake bold. `textpage` is what OCR
    read of the page.
    """
    return _read(page, _BARE, textpage)


def _read(page: Page, flags: int, textpage: TextPage | None) -> list[Fragment]:
    found: dict[str, Any] = page.get_text("dict", flags=flags, textpage=textpage)
    fragments = list(_fragments(found["blocks"], ""))
    if any(is_right_to_left(each.text) for each in fragments):
        # Only single characters show which letters of a ligature came out in the wrong order.
        found = page.get_text("rawdict", flags=flags, textpage=textpage)
        fragments = list(_fragments(found["blocks"], ""))
    return fragments


def read_page(page: Page, draft: PageDraft) -> PageDraft:
    """Return the page with its layout."""
    page.get_layout(return_raw=True)
    groups: list[dict[str, Any]] = page.layout_information or []
    regions = tuple(region for group in groups if (region := _region(group)) is not None)
    has_grid = any(region.grid for region in regions)
    return evolve(draft, regions=regions, words=tuple(_words(page)) if has_grid else ())


def has_pictures(page: Page) -> bool:
    """Return whether something is drawn on a page without text that may show some: an image, or
    more strokes than the rules and frames of an empty page have.
    """
    if page.get_images() or page.get_image_info():
        return True
    paths: list[dict[str, Any]] = page.get_cdrawings()
    n_strokes = sum(item[0] in ("l", "c") for path in paths for item in path["items"])
    return n_strokes >= _LEAST_STROKES


def is_picture_with_margins(page: Page, fragments: Iterable[Fragment]) -> bool:
    """Return whether text stands at the edges only, and pictures on most of the page: a scan, on
    which an archive stamped its name or somebody a number.
    """
    _, _, width, height = page.rect
    across, down = width * _EDGE, height * _EDGE
    inside = (across, down, width - across, height - down)
    if any(_is_within(each.box, inside) for each in fragments):
        return False
    covered = sum(abs(pymupdf.Rect(each["bbox"]) & page.rect) for each in page.get_image_info())
    return covered >= _MOSTLY * abs(page.rect)


def _is_within(box: Box, inside: Box) -> bool:
    """Return whether the middle of a box lies in another."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return inside[0] < x < inside[2] and inside[1] < y < inside[3]


def _fragments(blocks: list[dict[str, Any]], tag: str) -> Iterator[Fragment]:
    # Elements of the tags may nest as deep as a file likes: no recursion.
    waiting = [(block, tag) for block in reversed(blocks)]
    n_blocks = 0
    while waiting:
        block, tag = waiting.pop()
        if block["type"] == _STRUCTURE:
            name = _heading_tag(block) or tag
            waiting += [(inner, name) for inner in reversed(block.get("blocks", ()))]
        n_blocks += 1
        for line in block.get("lines", ()):
            fragment = _fragment(line, n_blocks, tag)
            if fragment is not None:
                yield fragment


def _heading_tag(block: dict[str, Any]) -> str:
    standard, raw = str(block.get("std", "")), str(block.get("raw", ""))
    if raw == "Title":
        return "H1"
    if standard == "H" or (standard[:1] == "H" and standard[1:].isdigit()):
        return standard
    # A table or a list in a heading's element is none.
    return "-" if standard in ("Table", "L", "Figure", "TOC") else ""


def _fragment(line: dict[str, Any], block: int, tag: str) -> Fragment | None:
    spans: list[dict[str, Any]] = line["spans"]
    vertical = line["wmode"] == 1
    text = readable_characters("".join(_text(span) for span in spans))
    # A space may be a line of its own where the letters of a vertical font are.
    if not text.strip() and not vertical:
        return None
    sizes: Counter[float] = Counter()
    n_bold = n_mono = n_all = 0
    for span in spans:
        n = len(_text(span).strip())
        n_all += n
        sizes[round(span["size"], 1)] += n
        bold = span["flags"] & pymupdf.TEXT_FONT_BOLD or span["char_flags"] & 8
        n_bold += n if bold else 0
        n_mono += n if span["flags"] & pymupdf.TEXT_FONT_MONOSPACED else 0
    x, y = line["dir"]
    return Fragment(
        text=text,
        box=_box(line["bbox"]),
        size=sizes.most_common(1)[0][0],
        peak=max((size for size, n in sizes.items() if n), default=0.0),
        bold=2 * n_bold > n_all,
        mono=2 * n_mono > n_all,
        turn=(0 if x > 0 else 2) if abs(x) >= abs(y) else (1 if y > 0 else 3),
        vertical=vertical,
        block=block,
        tag=tag.removeprefix("-"),
    )


def _text(span: dict[str, Any]) -> str:
    characters: list[dict[str, Any]] | None = span.get("chars")
    if characters is None:
        return span["text"]
    widths = [each["bbox"][2] - each["bbox"][0] for each in characters]
    return mended_ligatures("".join(each["c"] for each in characters), widths)


def _region(group: dict[str, Any]) -> Region | None:
    box = _box(group["group_bbox"])
    if box[2] - box[0] <= _LEAST_REGION or box[3] - box[1] <= _LEAST_REGION:
        return None
    kind = str(group["class_name"])
    lines: Any = group.get("table_grid") if kind == "table" else None
    grid = None
    if lines is not None:
        grid = Grid(
            tuple(box[1] + float(each) for each in lines.h_lines),
            tuple(box[0] + float(each) for each in lines.v_lines),
        )
    return Region("picture" if kind in _PICTURE_CLASSES else kind, box, grid)


def _words(page: Page) -> Iterator[Word]:
    found: Any = page.get_text("words", flags=_BARE | pymupdf.TEXT_ACCURATE_BBOXES)
    for x0, y0, x1, y1, text, *_ in found:
        readable = readable_characters(text)
        if readable.strip():
            yield Word(readable, (x0, y0, x1, y1))


def _box(box: Any) -> Box:
    x0, y0, x1, y1 = (round(float(each), 2) for each in box[:4])
    return x0, y0, x1, y1
