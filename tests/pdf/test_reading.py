"""What a reader sees is what is read: through the real child, on PDFs made here."""

from pathlib import Path
from typing import Any

import psutil
import pytest

from notekin.adapters.pdf import PdfProcesses
from notekin.adapters.pdf_document import opened, read_draft
from notekin.app.ports.pdf import PdfOptions
from notekin.core.pdf import Block, PdfContent, readable
from support import pdf_files
from support.pdf_files import WORDS, pymupdf
from support.pdf_kit import Extract, ReadText

LOREM = (
    "The harbour office keeps a ledger of every vessel that passes the outer buoy, and the clerk "
    "copies each line into a second book before the evening bell is rung at the pier. "
)
HEBREW = "שלום לכל קוראי היומן הישן"


def saved(folder: Path, document: Any) -> Path:
    path = folder / "made.pdf"
    path.write_bytes(pdf_files.written(document))
    return path


def report() -> Any:
    """Return three pages: a running title and a number on each, sections with subsections."""
    document = pymupdf.open()
    for number in range(1, 4):
        page = document.new_page()
        page.insert_text((230, 40), "Harbour Report", fontsize=9)
        page.insert_text((300, 810), str(number), fontsize=9)
        page.insert_text(
            (72, 100), f"{number} Section {'abc'[number - 1]}", fontsize=18, fontname="hebo"
        )
        page.insert_textbox(pymupdf.Rect(72, 120, 520, 250), LOREM * 3, fontsize=11)
        page.insert_text((72, 290), f"{number}.1 Details", fontsize=14, fontname="hebo")
        page.insert_textbox(pymupdf.Rect(72, 310, 520, 440), LOREM * 3, fontsize=11)
    return document


def headings(content: PdfContent) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in content.blocks if block.kind == "heading"]


def test_a_fact_on_page_7_has_page_7(tmp_path: Path, extract: Extract, read_text: ReadText) -> None:
    texts = [f"Chapter text number {number}. {LOREM}" for number in range(1, 10)]
    texts[6] += WORDS
    path = saved(tmp_path, pdf_files.pages(texts))
    [found] = (block for block in extract(path).blocks if WORDS in block.text)
    assert found.page == 7
    left, top, right, bottom = found.box
    assert 60 < left < right < 560
    assert 60 < top < bottom < 200
    assert WORDS in " ".join(read_text(path).pages[6].split())


def test_headings_have_the_levels_of_their_looks_and_numbers(
    tmp_path: Path, extract: Extract
) -> None:
    found = headings(extract(saved(tmp_path, report())))
    assert [text for _, text in found] == [
        text
        for number, name in enumerate("abc", 1)
        for text in (f"{number} Section {name}", f"{number}.1 Details")
    ]
    assert [level - found[0][0] for level, _ in found] == [0, 1] * 3


def test_what_surrounds_the_text_is_dropped(tmp_path: Path, extract: Extract) -> None:
    text = readable(extract(saved(tmp_path, report()))).text
    assert "Harbour Report" not in text
    assert not any(line.strip().isdigit() for line in text.splitlines())


@pytest.mark.parametrize("use_outline", [True, False])
def test_the_outline_decides_where_it_may(
    *, use_outline: bool, tmp_path: Path, extract: Extract
) -> None:
    document = report()
    document.set_toc([[1, "Section a", 1], [1, "1.1 Details", 1], [2, "Section b", 2]])
    options = PdfOptions(use_outline=use_outline)
    content = extract(saved(tmp_path, document), options)
    found = {text: level for level, text in headings(content)}
    levels = (found["1 Section a"], found["1.1 Details"], found["2 Section b"])
    assert (levels == (1, 1, 2)) == use_outline


def test_columns_are_read_one_after_the_other(tmp_path: Path, extract: Extract) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((150, 80), "A Title Across Both Columns", fontsize=20, fontname="hebo")
    left = " ".join(f"left{number} {LOREM}" for number in range(6))
    right = " ".join(f"right{number} {LOREM}" for number in range(6))
    page.insert_textbox(pymupdf.Rect(60, 110, 290, 700), left, fontsize=10)
    page.insert_textbox(pymupdf.Rect(310, 110, 540, 700), right, fontsize=10)
    text = readable(extract(saved(tmp_path, document))).text
    marks = [*(f"left{number}" for number in range(6)), *(f"right{number}" for number in range(6))]
    places = [text.index(mark) for mark in ["A Title", *marks]]
    assert places == sorted(places)


def test_a_word_that_a_line_breaks_is_whole(
    tmp_path: Path, extract: Extract, read_text: ReadText
) -> None:
    document = pymupdf.open()
    lines = ["We keep the light-", "house lamp and the just-in-", "time stores in good order."]
    document.new_page().insert_text((72, 100), lines, fontsize=11)
    path = saved(tmp_path, document)
    whole = "We keep the lighthouse lamp and the just-in-time stores in good order."
    assert [block.text for block in extract(path).blocks] == [whole]
    assert "lighthouse" in read_text(path).pages[0]


def test_right_to_left_is_read_as_it_is_written(
    tmp_path: Path, extract: Extract, read_text: ReadText
) -> None:
    document = pymupdf.open()
    html = f'<p dir="rtl" lang="he">{HEBREW}</p>'
    document.new_page().insert_htmlbox(pymupdf.Rect(72, 72, 520, 300), html)
    path = saved(tmp_path, document)
    assert HEBREW in readable(extract(path)).text
    assert HEBREW in " ".join(read_text(path).pages[0].split())


def test_vertical_japanese_is_read_from_column_to_column(
    tmp_path: Path, extract: Extract, read_text: ReadText
) -> None:
    lines = ["わたくしといふ現象は", "假定された有機交流電燈の", "ひとつの青い照明です"]
    path = tmp_path / "vertical.pdf"
    path.write_bytes(pdf_files.vertical("\n".join(lines)))
    assert "".join(readable(extract(path)).text.split()) == "".join(lines)
    assert read_text(path).pages[0].split() == lines


def test_blocks_lie_within_their_pages_in_order(tmp_path: Path, extract: Extract) -> None:
    blocks: tuple[Block, ...] = extract(saved(tmp_path, report())).blocks
    assert [block.page for block in blocks] == sorted(block.page for block in blocks)
    for left, top, right, bottom in (block.box for block in blocks):
        assert 0 <= left < right <= 596
        assert 0 <= top < bottom <= 843


def test_the_same_file_gives_the_same_content(tmp_path: Path, extract: Extract) -> None:
    path = saved(tmp_path, report())
    assert extract(path) == extract(path)


def test_ocr_never_runs_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("OCR was started")

    owners = (pymupdf, pymupdf.mupdf, pymupdf.Page, pymupdf.Pixmap, pymupdf.Document)
    for owner in owners:
        for name in dir(owner):
            if "ocr" in name.lower() and callable(getattr(owner, name)):
                monkeypatch.setattr(owner, name, refuse)
    from notekin.adapters.pdf_mupdf import load_layout

    load_layout()
    document = report()
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 60))
    document[0].insert_image(pymupdf.Rect(72, 500, 400, 800), pixmap=picture)
    document.new_page().insert_image(pymupdf.Rect(72, 72, 400, 400), pixmap=picture)
    with opened(str(saved(tmp_path, document)), ()) as pdf:
        drafts = [read_draft(pdf, number, 0, None, "") for number in range(1, 5)]
    assert [(bool(draft.fragments), draft.ocr) for draft in drafts] == [(True, False)] * 3 + [
        (False, False)
    ]


def test_the_child_speaks_to_nobody(tmp_path: Path, pdfs: PdfProcesses, extract: Extract) -> None:
    extract(saved(tmp_path, report()))
    assert pdfs.pids
    for pid in pdfs.pids:
        assert not psutil.Process(pid).net_connections("inet")
