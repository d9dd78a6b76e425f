"""PDFs: who reads them, and where what was read is kept."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from attrs import field, frozen

from notekin.app.cancel import CancelToken
from notekin.app.errors import Unreadable

if TYPE_CHECKING:
    # Late: the server starts without any PDF.
    from notekin.core.pdf import PdfContent, RawPdf

Trouble = Literal[
    "needsPassword",
    "noTextLayer",
    "damaged",
    "empty",
    "notAPdf",
    "timeLimit",
    "memoryLimit",
    "crashed",
]

OnPage = Callable[[int, int], None]
"""Called with how many pages are done and how many there are; quick, from any thread."""


class PdfTrouble(Unreadable):
    """A PDF cannot be read: `str` is the sentence for the person, `kind` the word for programs."""

    def __init__(self, kind: Trouble, sentence: str) -> None:
        super().__init__(sentence)
        self.kind: Trouble = kind


@frozen
class PdfOptions:
    """How to read one PDF.

    `ocr`: read text from images where a page has none (Tesseract must be installed). `passwords`
    are tried on an encrypted file, one after the other. `page_seconds` and `memory_mb` are the
    most that one page may take, and that the process that reads may hold. Of a file with more
    than `max_pages` pages the others are left out, with a warning. `use_outline`: headings have
    the levels that the file's outline gives them.
    """

    ocr: bool = False
    passwords: tuple[str, ...] = field(default=(), repr=False)
    page_seconds: float = 30.0
    memory_mb: int = 1500
    max_pages: int = 10_000
    use_outline: bool = True


class PdfExtractor(Protocol):
    """Reads PDFs in a process of its own. Each call blocks: it is made on a worker's thread.

    Calls raise `PdfTrouble`, and `Cancelled` at once when their token is cancelled, or the
    extractor closed, meanwhile: what worked on it is killed. `read_text` may be called on another
    thread while `extract` runs, and does not wait for it; of each, one call runs at a time.
    """

    def read_text(self, path: Path, options: PdfOptions, token: CancelToken) -> "RawPdf":
        """Return the bare text of all pages: quick, a few milliseconds a page at most.

        Of a file without a text layer, or one that needs OCR, the pages are blank: only `extract`
        says so. A damaged file gives what can be read, and a warning.
        """
        ...

    def extract(
        self, path: Path, options: PdfOptions, token: CancelToken, on_page: OnPage
    ) -> "PdfContent":
        """Return the layout of all pages. Where some can be read, what cannot is a warning."""
        ...

    def close(self) -> None:
        """Kill what works, and end for good. Called from any thread, more than once."""
        ...


class PdfShelf(Protocol):
    """What was read of the PDFs of one vault, in the index's folder, by the hash of their bytes.

    Three files a PDF: `fulltext.txt`, `document.md` and `content_list.json`. It is derived data:
    one that is lost or damaged, or that another version or other options made, is absent.
    Called from any thread; nothing here raises but for `IndexUnusable` when the disk is full.
    """

    def content(self, key: bytes, *, ocr: bool) -> "PdfContent | None":
        """Return the layout that was found (with OCR only where `ocr`)."""
        ...

    def markdown(self, key: bytes) -> str | None:
        """Return the readable document where the layout was lost; None where there is one, though
        it may be damaged, or of another version or other options.
        """
        ...

    def put(self, key: bytes, content: "PdfContent", raw: "RawPdf | None") -> None:
        """Keep what was read, all files or none; None keeps the text of the blocks."""
        ...

    def keep_only(self, keys: Collection[bytes]) -> int:
        """Remove what no PDF of the vault uses any more; return how many PDFs' files went."""
        ...
