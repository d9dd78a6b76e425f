"""What the steps of reading a PDF hand on to each other."""

from attrs import frozen

from notekin.core.pages import Box


@frozen
class Fragment:
    """A run of text on one line. `size` is the font size of most of its characters, `peak` the
    largest (of small capitals, the size of the capitals). `turn` counts the quarter turns
    (clockwise) of its direction; `vertical` tells that its font writes from top to bottom.
    `block` tells which fragments the file keeps together; `tag` is the heading's name (`H`,
    `H1` …) where the file's tags say so.
    """

    text: str
    box: Box
    size: float
    peak: float = 0.0
    bold: bool = False
    mono: bool = False
    turn: int = 0
    vertical: bool = False
    block: int = 0
    tag: str = ""


@frozen
class Word:
    """A word and where it stands."""

    text: str
    box: Box


@frozen
class Grid:
    """The lines between the cells of a table, in points of the page, without its outer ones."""

    rows: tuple[float, ...]
    columns: tuple[float, ...]


@frozen
class Region:
    """A part of a page and its class (`text`, `title`, `section-header`, `list-item`, `table`,
    `caption`, `footnote`, `picture`, `page-header`, `page-footer`; `loose` without a layout).
    """

    kind: str
    box: Box
    grid: Grid | None = None


@frozen
class PageDraft:
    """A page that was read. Without a layout `regions` is None. `pictures`: something is drawn on a
    page without text that may show some; `nameless`: it is a text whose fonts name no characters.
    """

    number: int
    width: float
    height: float
    fragments: tuple[Fragment, ...]
    regions: tuple[Region, ...] | None = None
    words: tuple[Word, ...] = ()
    trouble: str = ""
    ocr: bool = False
    pictures: bool = False
    nameless: bool = False
