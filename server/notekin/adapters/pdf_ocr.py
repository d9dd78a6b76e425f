"""Reads what a page shows with Tesseract. Runs in the child, and only when it is asked for."""

import shutil
from contextlib import suppress
from pathlib import Path

import regex
from attrs import evolve

from notekin.adapters.pdf_mupdf import Page, pymupdf
from notekin.adapters.pdf_page import read_bare
from notekin.adapters.pdf_values import Fragment

_DPI = 300
_MOST_PIXELS = 7200  # a side: of a poster, MuPDF would make no picture of more
_POINTS = 72  # an inch
_NOT_LANGUAGES = ("osd", "equ", "snum")
_WORD = regex.compile(r"\p{L}{4,}")


def find_tessdata() -> str | None:
    """Return the folder of Tesseract's languages, None when it is not installed."""
    if shutil.which("tesseract") is None:
        return None
    with suppress(Exception):
        found = str(pymupdf.get_tessdata() or "")
        return found if found and Path(found).is_dir() else None
    return None


def seen_fragments(page: Page, tessdata: str) -> list[Fragment]:
    """Return the lines of text that a page shows. `tessdata` is where the languages are."""
    shown = _seen(page, tessdata)
    turned = int(page.rotation)
    if not turned:
        return shown
    # Some files turn a picture upright, some turn an upright one away: the one with words is right.
    matrix = page.rotation_matrix
    page.set_rotation(0)
    try:
        lying = _seen(page, tessdata)
    finally:
        page.set_rotation(turned)
    if _n_letters(lying) <= _n_letters(shown):
        return shown
    return [_turned(each, matrix, turned // 90) for each in lying]


def _seen(page: Page, tessdata: str) -> list[Fragment]:
    longest = max(page.rect.width, page.rect.height, 1.0)
    dpi = max(1, min(_DPI, int(_MOST_PIXELS * _POINTS / longest)))
    textpage = page.get_textpage_ocr(
        language=_languages(tessdata), dpi=dpi, full=True, tessdata=tessdata
    )
    return read_bare(page, textpage)


def _turned(fragment: Fragment, matrix: object, turn: int) -> Fragment:
    left, top, right, bottom = pymupdf.Rect(fragment.box) * matrix
    return evolve(fragment, box=(left, top, right, bottom), turn=(fragment.turn + turn) % 4)


def _n_letters(fragments: list[Fragment]) -> int:
    return sum(len(word) for each in fragments for word in _WORD.findall(each.text))


def _languages(tessdata: str) -> str:
    names = sorted(each.stem for each in Path(tessdata).glob("*.traineddata"))
    return "+".join(name for name in names if name not in _NOT_LANGUAGES) or "eng"
