"""OCR of pages that are turned, with a page that shows what Tesseract would."""

from pathlib import Path
from typing import Any

import pytest

from notekin.adapters.pdf_ocr import find_tessdata, seen_fragments
from support.pdf_files import pymupdf

UPRIGHT, NOISE = "The lighthouse keeper counts vessels", "o~ S2% aD"


class FakePage:
    """A page with text that can be read only when it is turned by so many degrees."""

    def __init__(self, rotation: int, readable_at: int, side: float = 600.0) -> None:
        self.rotation = rotation
        self.rect = pymupdf.Rect(0, 0, side, side)
        self.rotation_matrix = pymupdf.Matrix(0, 1, -1, 0, 600, 0)
        self._readable_at = readable_at
        self.asked: list[dict[str, Any]] = []

    def set_rotation(self, rotation: int) -> None:
        self.rotation = rotation

    def get_textpage_ocr(self, **options: Any) -> str:
        self.asked.append(options)
        return UPRIGHT if self.rotation == self._readable_at else NOISE

    def get_text(self, _kind: str, *, flags: int, textpage: str) -> dict[str, Any]:
        assert flags
        span = {"text": textpage, "size": 10.0, "flags": 0, "char_flags": 0}
        line = {"spans": [span], "bbox": (10, 20, 110, 30), "dir": (1.0, 0.0), "wmode": 0}
        return {"blocks": [{"type": 0, "lines": [line]}]}


@pytest.fixture
def tessdata(tmp_path: Path) -> str:
    for name in ("deu", "eng", "osd"):
        (tmp_path / f"{name}.traineddata").touch()
    return str(tmp_path)


@pytest.mark.parametrize(
    ("rotation", "readable_at", "n_times", "place"),
    [
        (0, 0, 1, (10, 20, 110, 30, 0)),
        (90, 90, 2, (10, 20, 110, 30, 0)),
        (90, 0, 2, (570, 10, 580, 110, 1)),
    ],
)
def test_a_page_is_read_the_way_that_gives_words(
    rotation: int, readable_at: int, n_times: int, place: tuple[float, ...], tessdata: str
) -> None:
    page = FakePage(rotation, readable_at)
    [fragment] = seen_fragments(page, tessdata)
    assert (fragment.text, *fragment.box, fragment.turn) == (UPRIGHT, *place)
    assert [asked["language"] for asked in page.asked] == ["deu+eng"] * n_times
    assert page.rotation == rotation


def test_without_the_program_there_is_no_ocr(
    monkeypatch: pytest.MonkeyPatch, tessdata: str
) -> None:
    monkeypatch.setenv("TESSDATA_PREFIX", tessdata)
    monkeypatch.setenv("PATH", "")
    assert find_tessdata() is None


@pytest.mark.parametrize(("side", "dpi"), [(600.0, 300), (1728.0, 300), (36_000.0, 14)])
def test_a_poster_is_seen_from_further_away(side: float, dpi: int, tessdata: str) -> None:
    page = FakePage(0, 0, side)
    seen_fragments(page, tessdata)
    assert [asked["dpi"] for asked in page.asked] == [dpi]
