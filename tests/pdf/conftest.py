"""The real extractor, one for all tests of a module, and a way to ask it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.adapters.pdf import PdfProcesses
from notekin.app.cancel import CancelToken
from notekin.app.ports.pdf import PdfOptions
from notekin.core.pdf import PdfContent, RawPdf
from support.pdf_kit import Extract, ReadText


@pytest.fixture(scope="module")
def pdfs() -> Iterator[PdfProcesses]:
    opened = PdfProcesses()
    yield opened
    opened.close()


@pytest.fixture
def extract(pdfs: PdfProcesses) -> Extract:
    """Returns the content of a file."""

    def extracted(path: Path, options: PdfOptions | None = None) -> PdfContent:
        asked = options or PdfOptions()
        return pdfs.extract(path, asked, CancelToken(), lambda _done, _all: None)

    return extracted


@pytest.fixture
def read_text(pdfs: PdfProcesses) -> ReadText:
    """Returns the bare text of a file."""

    def read(path: Path, options: PdfOptions | None = None) -> RawPdf:
        return pdfs.read_text(path, options or PdfOptions(), CancelToken())

    return read
