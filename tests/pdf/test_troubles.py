"""Each kind of trouble is said plainly, and what can be read is read."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from notekin.adapters.pdf import PdfProcesses
from notekin.app.cancel import CancelToken
from notekin.app.errors import Unreadable
from notekin.app.ports.pdf import PdfOptions, PdfTrouble
from support import pdf_files
from support.pdf_files import WORDS, MakePdf
from support.pdf_kit import Extract, ReadText

REFUSED: list[tuple[MakePdf, str, str]] = [
    (pdf_files.encrypted, "needsPassword", "needs a password"),
    (pdf_files.scanned, "noTextLayer", "no text layer"),
    (pdf_files.only_signs, "noTextLayer", "name no characters"),
    (pdf_files.outlined, "noTextLayer", "no text layer"),
    (pdf_files.blank, "empty", "blank"),
    (pdf_files.no_pages, "empty", "no pages"),
    (bytes, "empty", "holds nothing"),
    (pdf_files.without_content, "damaged", "damaged"),
    (pdf_files.page_loop, "damaged", "damaged"),
    (pdf_files.lost_pages, "damaged", "no page"),
    (pdf_files.lost_content, "damaged", "no text"),
    (pdf_files.picture_file, "notAPdf", "something else"),
    (lambda: b"Dear diary, this is no PDF.\n", "notAPdf", "something else"),
    (lambda: b"PK\x03\x04" + bytes(200), "notAPdf", "something else"),
]

READ: list[tuple[MakePdf, str]] = [
    (pdf_files.plain, ""),
    (pdf_files.partly_scanned, "Page 2: no text layer"),
    (pdf_files.stamped, "Page 1: no text layer (scanned), but for the margins."),
    (pdf_files.ruled, ""),
    (pdf_files.nameless, "Page 2: no text (its fonts"),
    (pdf_files.truncated, "damaged"),
    (pdf_files.table_loop, "damaged"),
    (pdf_files.huge, ""),
    (pdf_files.script_and_attachment, ""),
]


def put(folder: Path, made: bytes) -> Path:
    path = folder / "a file.pdf"
    path.write_bytes(made)
    return path


@pytest.mark.parametrize(("make", "kind", "words"), REFUSED)
def test_refused(make: MakePdf, kind: str, words: str, tmp_path: Path, extract: Extract) -> None:
    with pytest.raises(PdfTrouble) as raised:
        extract(put(tmp_path, make()))
    assert raised.value.kind == kind
    assert words in str(raised.value)


def test_complaints_of_one_file_are_not_held_against_the_next(
    tmp_path: Path, extract: Extract
) -> None:
    extract(put(tmp_path, pdf_files.grumbling()))
    with pytest.raises(PdfTrouble) as raised:
        extract(put(tmp_path, pdf_files.blank()))
    assert raised.value.kind == "empty"


@pytest.mark.parametrize(("make", "warning"), READ)
def test_read(
    make: MakePdf, warning: str, tmp_path: Path, extract: Extract, read_text: ReadText
) -> None:
    path = put(tmp_path, make())
    content = extract(path)
    assert [block.text for block in content.blocks] == [WORDS]
    assert warning in " ".join(content.warnings)
    assert bool(warning) == bool(content.warnings)
    assert not content.ocr
    assert " ".join("\n".join(read_text(path).pages).split()) == WORDS


@pytest.mark.parametrize("password", ["owl", "master"])
def test_a_password_opens_what_is_encrypted(
    password: str, tmp_path: Path, extract: Extract
) -> None:
    path = put(tmp_path, pdf_files.encrypted())
    content = extract(path, PdfOptions(passwords=("wrong", password)))
    assert [block.text for block in content.blocks] == [WORDS]


def test_a_scanned_page_is_blank_text_at_first(tmp_path: Path, read_text: ReadText) -> None:
    assert read_text(put(tmp_path, pdf_files.scanned())).pages == ("",)


def test_ocr_that_is_wanted_says_when_it_cannot_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")  # where Tesseract may be
    with closing(PdfProcesses()) as pdfs, pytest.raises(PdfTrouble) as raised:
        pdfs.extract(
            put(tmp_path, pdf_files.scanned()),
            PdfOptions(ocr=True),
            CancelToken(),
            lambda _done, _all: None,
        )
    assert raised.value.kind == "noTextLayer"
    assert "Tesseract" in str(raised.value)


def test_a_file_that_is_gone_is_no_fault_of_the_reader(tmp_path: Path, extract: Extract) -> None:
    with pytest.raises(Unreadable, match="cannot be read"):
        extract(tmp_path / "gone.pdf")


def test_pages_beyond_the_cap_are_named(
    tmp_path: Path, extract: Extract, read_text: ReadText
) -> None:
    document = pdf_files.pages(f"{WORDS} This is page {number}." for number in range(1, 6))
    path = put(tmp_path, pdf_files.written(document))
    options = PdfOptions(max_pages=2)
    content = extract(path, options)
    assert [block.page for block in content.blocks] == [1, 2]
    assert (content.n_pages, len(content.warnings)) == (5, 1)
    assert "first 2 of 5 pages" in content.warnings[0]
    raw = read_text(path, options)
    assert (raw.n_pages, len(raw.pages)) == (5, 2)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is watched, not limited")
def test_a_bomb_costs_its_own_page(tmp_path: Path) -> None:
    # A reader of its own: one that read before has memory left over, which may be enough.
    with closing(PdfProcesses()) as pdfs:
        content = pdfs.extract(
            put(tmp_path, pdf_files.bomb()),
            PdfOptions(memory_mb=350),
            CancelToken(),
            lambda _done, _all: None,
        )
    # What is left of the memory may be enough for the bare text of that page, or not.
    assert [block.text for block in content.blocks if block.page == 1] == [WORDS]
    (warning,) = content.warnings
    assert "page 2" in warning.lower()
    assert "needed too much memory" in warning


def test_nothing_of_a_script_or_an_attachment_is_read(tmp_path: Path, extract: Extract) -> None:
    content = extract(put(tmp_path, pdf_files.script_and_attachment()))
    assert not any(word in str(content) for word in ("puffin", "cormorant"))


def test_no_noise_reaches_the_server(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from notekin.adapters.pdf import PdfProcesses\n"
        "from notekin.app.cancel import CancelToken\n"
        "from notekin.app.ports.pdf import PdfOptions, PdfTrouble\n"
        "pdfs = PdfProcesses()\n"
        "for path in sys.argv[1:]:\n"
        "    try: pdfs.extract(Path(path), PdfOptions(), CancelToken(), lambda *_: None)\n"
        "    except PdfTrouble: pass\n"
        "pdfs.close()\n"
        "assert 'pymupdf' not in sys.modules\n"
    )
    paths: list[str] = []
    for number, (make, *_) in enumerate([*REFUSED, *READ]):
        paths.append(str(tmp_path / f"{number}.pdf"))
        Path(paths[-1]).write_bytes(make())
    done = subprocess.run(
        [sys.executable, "-c", script, *paths], capture_output=True, timeout=300, check=True
    )
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among its files")
@pytest.mark.parametrize("what", ["pipe", "folder", "link"])
def test_what_was_put_in_the_place_of_a_pdf_is_not_opened(
    what: str, tmp_path: Path, extract: Extract, read_text: ReadText
) -> None:
    path = tmp_path / "a file.pdf"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    else:
        (tmp_path / "outside").write_bytes(pdf_files.plain())
        path.symlink_to("outside")
    for read in (read_text, extract):
        with pytest.raises(Unreadable) as raised:
            read(path, PdfOptions(page_seconds=0.2))
        assert not isinstance(raised.value, PdfTrouble)
