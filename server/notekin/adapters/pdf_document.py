"""Opens a PDF with PyMuPDF and reads its pages one by one. Runs in the child only."""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from attrs import define, evolve

from notekin.adapters.pdf_headings import Entry
from notekin.adapters.pdf_mupdf import Document, Page, pymupdf
from notekin.adapters.pdf_ocr import seen_fragments
from notekin.adapters.pdf_page import (
    has_pictures,
    is_picture_with_margins,
    read_bare,
    read_fragments,
    read_page,
)
from notekin.adapters.pdf_values import Fragment, PageDraft
from notekin.adapters.pdf_writing import Words, joined, upright
from notekin.adapters.regular import open_regular
from notekin.app.ports.pdf import PdfTrouble

LAYOUT, PLAIN, NOTHING = range(3)
"""How much of a page is asked for: less after each time that the page went wrong."""

_MOST_HEAD_BYTES = 1 << 16  # what a PDF holds stands in them, if its own mark does not
_PAGE = re.compile(rb"/Type\s*/Page\b")
_TABLE = b"startxref"
_MARKS = (b"%PDF-", b"%%EOF", b" obj", _TABLE)
_NO_PAGE = "The PDF is damaged: no page of it can be read."
_MOST_POINTS = 4000.0  # the model looks at a picture of the page, a pixel a point
_WORD = re.compile(r"\w")  # without any a page is pictures, or signs that stand for letters
_UNREADABLE = 0.5  # a page with more characters that its fonts don't name has no text
# MuPDF and onnxruntime name what failed, in errors of no kind of their own.
_NO_MEMORY = ("alloc", "Failed to allocate", "out of memory")


@define
class OpenPdf:
    """A PDF that can be read."""

    document: Document
    n_pages: int
    title: str
    damaged: bool

    def outline(self) -> list[Entry]:
        """Return the file's outline; empty when it has none, or none that can be read."""
        with suppress(Exception):
            return [
                Entry(int(level), str(title), int(page))
                for level, title, page, *_ in self.document.get_toc(simple=True)
            ]
        return []


@contextmanager
def opened(path: str, passwords: Sequence[str]) -> Generator[OpenPdf]:
    """Open a file; raises `PdfTrouble` when it is no PDF that can be read, and what
    `open_regular` raises.
    """
    with open_regular(Path(path)) as (file, _):
        head = file.read(_MOST_HEAD_BYTES)
    if not head:
        raise PdfTrouble("empty", "The PDF is empty: the file holds nothing.")
    # How often a complaint came again is told late: reading the list first has it told now.
    pymupdf.TOOLS.mupdf_warnings(reset=True)
    with ExitStack() as open_files:
        try:
            document = open_files.enter_context(pymupdf.open(path, filetype="pdf"))
        except Exception as error:
            raise _unopened(head) from error
        if not document.is_pdf:
            raise _unopened(b"")
        _unlock(document, passwords)
        pdf = _described(document)
        if not pdf.n_pages and not pdf.damaged and not _misses_pages(head):
            raise PdfTrouble("empty", "The PDF has no pages.")
        if not pdf.n_pages and not document.is_repaired:
            document = open_files.enter_context(_rebuilt(path))
            _unlock(document, passwords)
            pdf = _described(document)
        if not pdf.n_pages:
            raise PdfTrouble("damaged", _NO_PAGE)
        yield pdf


def has_complaints() -> bool:
    """Return whether the parser found fault with the file that is open."""
    return bool(pymupdf.TOOLS.mupdf_warnings(reset=False))


def _unopened(head: bytes) -> PdfTrouble:
    if any(mark in head for mark in _MARKS):
        return PdfTrouble("damaged", "The PDF is damaged: nothing of it can be read.")
    return PdfTrouble("notAPdf", "The file is named .pdf, but it holds something else.")


def _unlock(document: Document, passwords: Sequence[str]) -> None:
    if document.needs_pass and not any(document.authenticate(each) for each in passwords):
        raise PdfTrouble(
            "needsPassword",
            "The PDF needs a password: add it to passwords under [pdf] in your config.toml.",
        )


def _described(document: Document) -> OpenPdf:
    damaged = bool(document.is_repaired)
    try:
        n_pages = max(0, int(document.page_count))
    except Exception:  # noqa: BLE001 - a page tree that goes round in circles, or none
        n_pages, damaged = 0, True
    title = ""
    with suppress(Exception):
        title = str(document.metadata["title"] or "")
    return OpenPdf(document, n_pages, title, damaged)


def _misses_pages(head: bytes) -> bool:
    """Return whether a file without pages should have some."""
    return has_complaints() or _PAGE.search(head) is not None


def _rebuilt(path: str) -> Document:
    """Open a file whose tables of objects lead nowhere, as they do when they name each other in a
    circle: what cannot follow them looks for the objects itself.
    """
    with open_regular(Path(path)) as (file, _):
        whole = file.read()
    try:
        return pymupdf.open(stream=whole.replace(_TABLE, _TABLE.upper()), filetype="pdf")
    except Exception as error:
        raise PdfTrouble("damaged", _NO_PAGE) from error


def read_draft(
    opened: OpenPdf, number: int, level: int, tessdata: str | None, trouble: str
) -> PageDraft:
    """Return a page, counted from 1, with as much of it as can be read: a layout that fails gives
    way to the bare text, and that to nothing. `tessdata` is where OCR finds its languages; None
    where none is to run. `trouble` is what went wrong with the page before.
    """
    for step, read in enumerate((_with_layout, _without_layout)):
        if step < level:
            continue
        try:
            return evolve(read(opened, number, tessdata), trouble=trouble)
        except Exception as error:  # noqa: BLE001 - whatever a page does, the others are read
            trouble = _reason(error)
    return PageDraft(number, 0.0, 0.0, (), trouble=trouble)


def _reason(error: Exception) -> str:
    is_memory = isinstance(error, MemoryError) or any(word in str(error) for word in _NO_MEMORY)
    return "memoryLimit" if is_memory else "damaged"


def _with_layout(opened: OpenPdf, number: int, tessdata: str | None) -> PageDraft:
    page = opened.document[number - 1]
    draft = _plain(page, number, tessdata)
    if not draft.fragments or draft.ocr:
        return draft
    if max(draft.width, draft.height) > _MOST_POINTS:
        return draft
    return read_page(page, draft)


def _without_layout(opened: OpenPdf, number: int, tessdata: str | None) -> PageDraft:
    return _plain(opened.document[number - 1], number, tessdata)


def _plain(page: Page, number: int, tessdata: str | None) -> PageDraft:
    fragments = read_fragments(page)
    draft = PageDraft(number, page.rect.width, page.rect.height, tuple(fragments))
    if not _is_readable(fragments):
        draft = evolve(
            draft,
            fragments=(),
            nameless=bool(fragments),
            pictures=bool(fragments) or has_pictures(page),
        )
    elif is_picture_with_margins(page, fragments):
        draft = evolve(draft, pictures=True)
    if tessdata is None or not draft.pictures:
        return draft
    seen = tuple(seen_fragments(page, tessdata))
    return evolve(draft, fragments=seen or draft.fragments, ocr=bool(seen))


def _is_readable(fragments: Iterable[Fragment]) -> bool:
    text = "".join(each.text for each in fragments)
    n_all = len(text) - text.count(" ")
    return bool(_WORD.search(text)) and text.count("\ufffd") <= _UNREADABLE * n_all


def raw_pages(
    opened: OpenPdf, n_pages: int, skipped: set[int], on_page: Callable[[int], None]
) -> Iterator[str]:
    """Yield the text of each page, "" for one that cannot be read; words that lines break are
    whole.
    """
    pages: list[list[str]] = []
    for number in range(1, n_pages + 1):
        on_page(number)
        lines: list[str] = []
        if number not in skipped:
            with suppress(Exception):
                fragments = read_bare(opened.document[number - 1])
                if _is_readable(fragments):
                    lines = [" ".join(each.text.split()) for each in upright(fragments)]
        pages.append(lines)
    on_page(n_pages + 1)
    mend = Words(line for lines in pages for line in lines).mended
    for lines in pages:
        whole: list[str] = []
        for line in lines:
            if whole and whole[-1][-1:] in "-\u2010\u00ad":
                whole[-1] = joined(whole[-1], line, mend)
            else:
                whole.append(line)
        yield "\n".join(whole)
