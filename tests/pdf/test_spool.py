"""Pages that are done outlive the child that read them, and no PDF fails for want of room."""

import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from notekin.adapters.pdf_spool import Spool
from notekin.adapters.pdf_values import PageDraft
from support import pdf_files
from support.pdf_kit import Extract

FULL = Path("/dev/full")
PAGES = [PageDraft(number, 612.0, 792.0, ()) for number in (1, 2, 3)]


def keep(path: Path | None, *drafts: PageDraft) -> list[PageDraft]:
    """Be one child: add pages; return all that are known."""
    with closing(Spool(path)) as spool:
        for draft in drafts:
            spool.keep(draft)
        return spool.drafts


def test_the_next_child_has_the_pages_of_the_one_before(tmp_path: Path) -> None:
    assert keep(tmp_path / "pages", *PAGES[:2]) == PAGES[:2]
    assert keep(tmp_path / "pages", PAGES[2]) == PAGES
    assert keep(tmp_path / "pages") == PAGES


def test_a_page_that_was_written_half_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "pages"
    keep(path, *PAGES[:2])
    for n_cut in (1, 20):
        path.write_bytes(path.read_bytes()[:-n_cut])
        assert keep(path) == PAGES[:1]
        assert keep(path, PAGES[1]) == PAGES[:2]
    assert keep(path, PAGES[2]) == PAGES


@pytest.mark.parametrize(
    "path",
    [
        None,
        Path("no such folder") / "pages",
        pytest.param(FULL, marks=pytest.mark.skipif(not FULL.exists(), reason="a file of Linux")),
    ],
)
def test_without_room_the_pages_are_there_all_the_same(path: Path | None) -> None:
    assert keep(path, *PAGES) == PAGES
    assert keep(path) == []


def test_a_pdf_is_read_without_a_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extract: Extract
) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf_files.plain())
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert [block.text for block in extract(tmp_path / "a.pdf").blocks] == [pdf_files.WORDS]


@pytest.mark.skipif(sys.platform != "linux" or not FULL.exists(), reason="needs a full device")
def test_a_pdf_is_read_though_the_temporary_folder_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extract: Extract
) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf_files.plain())
    made = tmp_path / "made"
    made.mkdir()

    def make(suffix: str | None, prefix: str | None, folder: str | None) -> str:
        del suffix, prefix, folder
        return str(made)

    (made / "pages").symlink_to(FULL)
    monkeypatch.setattr(tempfile, "mkdtemp", make)
    assert [block.text for block in extract(tmp_path / "a.pdf").blocks] == [pdf_files.WORDS]
