"""What was read of PDFs is kept by their hash, and goes with the last one that has it."""

import errno
import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from notekin.adapters.pdf_shelf import PdfFolder
from notekin.app.errors import IndexUnusable
from notekin.core.pdf import Block, PdfContent, RawPdf, readable

KEY, OTHER = b"\x01\xfe", b"\x02"
BOX = (1.0, 2.5, 30.0, 40.0)
CONTENT = PdfContent(
    title="Tides",
    n_pages=2,
    blocks=(
        Block("heading", "Tides é 潮", 1, BOX, 2),
        Block("table", "| a |\n| --- |\n| b |", 2, BOX),
        Block("paragraph", 'A "quoted" line \ud800.', 2, BOX),
    ),
    warnings=("Page 2: no text layer (scanned).",),
)
RAW = RawPdf(2, ("first page", "second page"))


@pytest.fixture
def shelf(tmp_path: Path) -> PdfFolder:
    return PdfFolder(tmp_path / "pdfs")


def files(tmp_path: Path) -> list[str]:
    return sorted(str(each.relative_to(tmp_path / "pdfs")) for each in tmp_path.rglob("*.*"))


def test_what_is_put_is_found(shelf: PdfFolder, tmp_path: Path) -> None:
    shelf.put(KEY, CONTENT, RAW)
    assert shelf.content(KEY, ocr=False) == CONTENT
    folder = tmp_path / "pdfs" / "01fe"
    assert sorted(each.name for each in folder.iterdir()) == [
        "content_list.json",
        "document.md",
        "fulltext.txt",
    ]
    assert (folder / "fulltext.txt").read_text("utf-8") == "first page\fsecond page"


def test_the_list_is_json_with_a_block_a_line(shelf: PdfFolder, tmp_path: Path) -> None:
    shelf.put(KEY, CONTENT, None)
    text = (tmp_path / "pdfs" / "01fe" / "content_list.json").read_text("ascii")
    listed: dict[str, Any] = json.loads(text)
    assert listed["blocks"][0] == {
        "type": "heading",
        "text": "Tides é 潮",
        "page": 1,
        "bbox": list(BOX),
        "level": 2,
    }
    lines = [json.loads(line.rstrip(",")) for line in text.splitlines()[1:-1]]
    assert lines == listed["blocks"]


def test_what_was_never_put_is_absent(shelf: PdfFolder) -> None:
    assert shelf.content(KEY, ocr=True) is None
    assert shelf.markdown(KEY) is None
    assert shelf.keep_only([]) == 0


def test_a_second_time_replaces_the_first(shelf: PdfFolder, tmp_path: Path) -> None:
    shelf.put(KEY, CONTENT, RAW)
    later = PdfContent("Later", 1, ())
    shelf.put(KEY, later, None)
    assert shelf.content(KEY, ocr=False) == later
    assert len(files(tmp_path)) == 3


def test_what_ocr_read_is_for_those_who_want_it(shelf: PdfFolder) -> None:
    shelf.put(KEY, PdfContent("", 1, CONTENT.blocks[:1], ocr=True), None)
    assert shelf.content(KEY, ocr=False) is None
    assert shelf.content(KEY, ocr=True) is not None


def listed(page: str = "1", box: str = "[0, 0, 1, 1]", n_pages: str = "2") -> bytes:
    """Return a list with one block, written by somebody else."""
    block = f'{{"type": "paragraph", "text": "a", "page": {page}, "bbox": {box}}}'
    head = f'"version": 1, "ocr": false, "title": "", "warnings": [], "n_pages": {n_pages}'
    return f'{{{head}, "blocks": [{block}]}}'.encode()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b'{"version": 1}',
        b'{"version": 0, "ocr": false}',
        b"\xff",
        b"[" * 100_000,
        listed(page="0"),
        listed(page="3"),
        listed(page="Infinity"),
        listed(page="1" + "0" * 30, n_pages="1" + "0" * 40),
        listed(box="[0, 0, Infinity, 1]"),
        listed(box="[0, 0, 1]"),
        listed(box='"none"'),
    ],
)
def test_what_is_damaged_is_absent(damage: bytes, shelf: PdfFolder, tmp_path: Path) -> None:
    shelf.put(KEY, CONTENT, RAW)
    (tmp_path / "pdfs" / "01fe" / "content_list.json").write_bytes(damage)
    assert shelf.content(KEY, ocr=True) is None
    # It is there to be read again: that is better than a document without pages.
    assert shelf.markdown(KEY) is None


def test_the_readable_document_stands_in_for_a_list_that_is_lost(
    shelf: PdfFolder, tmp_path: Path
) -> None:
    shelf.put(KEY, CONTENT, RAW)
    assert shelf.markdown(KEY) is None
    (tmp_path / "pdfs" / "01fe" / "content_list.json").unlink()
    assert shelf.content(KEY, ocr=True) is None
    assert shelf.markdown(KEY) == readable(CONTENT).text.replace("\ud800", "?")


def test_what_somebody_wrote_as_we_do_is_found(shelf: PdfFolder, tmp_path: Path) -> None:
    shelf.put(KEY, CONTENT, RAW)
    (tmp_path / "pdfs" / "01fe" / "content_list.json").write_bytes(listed())
    content = shelf.content(KEY, ocr=False)
    assert content is not None
    assert content.blocks == (Block("paragraph", "a", 1, (0.0, 0.0, 1.0, 1.0)),)


def test_a_place_that_no_number_names_is_kept_as_one(shelf: PdfFolder) -> None:
    box = (float("nan"), 1.0, float("inf"), 2.0)
    shelf.put(KEY, PdfContent("", 1, (Block("paragraph", "a", 1, box),)), None)
    content = shelf.content(KEY, ocr=False)
    assert content is not None
    assert content.blocks[0].box == (0.0, 1.0, 0.0, 2.0)


def test_only_what_is_used_is_kept(shelf: PdfFolder, tmp_path: Path) -> None:
    shelf.put(KEY, CONTENT, RAW)
    shelf.put(OTHER, CONTENT, RAW)
    (tmp_path / "pdfs" / ".making-left-by-a-crash").mkdir()
    assert shelf.keep_only([OTHER]) == 1
    assert [each.name for each in (tmp_path / "pdfs").iterdir()] == [OTHER.hex()]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_the_folder_is_private(shelf: PdfFolder, tmp_path: Path) -> None:
    shelf.put(KEY, CONTENT, RAW)
    assert stat.S_IMODE((tmp_path / "pdfs").stat().st_mode) == 0o700


@pytest.mark.parametrize(("number", "raises"), [(errno.ENOSPC, True), (errno.EACCES, False)])
def test_a_full_disk_is_said_and_leaves_what_was(
    number: int, *, raises: bool, shelf: PdfFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shelf.put(KEY, CONTENT, RAW)

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", fail)
        if raises:
            with pytest.raises(IndexUnusable) as raised:
                shelf.put(KEY, PdfContent("Later", 1, ()), None)
            assert raised.value.reason == "noSpace"
        else:
            shelf.put(KEY, PdfContent("Later", 1, ()), None)
    assert shelf.content(KEY, ocr=False) == CONTENT
    assert len(files(tmp_path)) == 3
