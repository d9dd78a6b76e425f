"""PDFs that are really JSON, and an extractor that reads them: the engine needs no more."""

import json
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

from notekin.app.cancel import CancelToken
from notekin.app.errors import Unreadable
from notekin.app.ports import PdfOptions, PdfTrouble
from notekin.app.ports.pdf import OnPage
from notekin.core.pdf import Block, PdfContent, RawPdf, readable

# Only what hangs gets here.
PATIENCE_SECONDS = 20.0
_BOX = (72.0, 72.0, 540.0, 90.0)


def pdf(  # noqa: PLR0913 - all that a PDF may be
    *pages: str | Sequence[str],
    title: str = "",
    warnings: Sequence[str] = (),
    trouble: tuple[str, str] | None = None,
    layout_trouble: tuple[str, str] | None = None,
    password: str = "",
    scanned: bool = False,
) -> bytes:
    """Return a fake PDF: for each page its paragraphs, those that begin with # its headings.

    `trouble` (kind and sentence) is what any reading of it meets, `layout_trouble` only that of
    its layout. `scanned` pages have text by OCR only.
    """
    told = {key: value for key, value in locals().items() if key != "pages"}
    paragraphs = [[page] if isinstance(page, str) else list(page) for page in pages]
    return json.dumps({"pages": paragraphs, **told}).encode()


@define
class FakeExtractor:
    """Implements `app.ports.PdfExtractor`, and lists what it was asked for.

    While it is `held`, no page of a layout is read beyond `n_free`; a cancel ends the wait.
    """

    held: bool = False
    n_free: int = 0
    closed: bool = False
    texts: list[str] = field(factory=list[str])
    layouts: list[str] = field(factory=list[str])
    killed: list[str] = field(factory=list[str])
    # Done once, while the bare text of a file is read.
    meanwhile: dict[str, Callable[[], object]] = field(factory=dict[str, Callable[[], object]])
    _changed: threading.Condition = field(factory=threading.Condition)
    _waiting: str = ""

    def wait_until_reached(self, name: str) -> None:
        """Wait until the layout of a file is held at a page."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._waiting == name, PATIENCE_SECONDS)

    def release(self) -> None:
        """Read all pages from now on."""
        with self._changed:
            self.held = False
            self._changed.notify_all()

    def read_text(self, path: Path, options: PdfOptions, token: CancelToken) -> RawPdf:
        told = _told(path, options)
        token.check()
        self.texts.append(path.name)
        self.meanwhile.pop(path.name, _nothing)()
        bare = [""] * len(told["pages"]) if told["scanned"] else map("\n".join, told["pages"])
        return RawPdf(len(told["pages"]), tuple(bare), told["title"])

    def extract(
        self, path: Path, options: PdfOptions, token: CancelToken, on_page: OnPage
    ) -> PdfContent:
        told = _told(path, options)
        self.layouts.append(path.name)
        with token.on_cancel(lambda: self._kill(path.name)):
            for number in range(1, len(told["pages"]) + 1):
                self._pass(path.name, token)
                token.check()
                on_page(number, len(told["pages"]))
        if told["layout_trouble"]:
            raise PdfTrouble(*told["layout_trouble"])
        if told["scanned"] and not options.ocr:
            raise PdfTrouble("noTextLayer", "It is scanned: it has no text layer.")
        return PdfContent(
            title=told["title"],
            n_pages=len(told["pages"]),
            blocks=tuple(_blocks(told["pages"])),
            warnings=tuple(told["warnings"]),
            ocr=told["scanned"],
        )

    def close(self) -> None:
        self.closed = True
        self.release()

    def _pass(self, name: str, token: CancelToken) -> None:
        with self._changed:
            self._waiting = name
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: not self.held or self.n_free > 0 or token.cancelled, PATIENCE_SECONDS
            )
            self._waiting = ""
            self.n_free -= 1

    def _kill(self, name: str) -> None:
        with self._changed:
            self.killed.append(name)
            self._changed.notify_all()


@define
class FakeShelf:
    """Implements `app.ports.PdfShelf`; it outlives the sessions of a test. `before_put` is done
    before anything is kept.
    """

    before_put: Callable[[], object] = lambda: None
    n_tidied: int = 0
    contents: dict[bytes, PdfContent] = field(factory=dict[bytes, PdfContent])
    documents: dict[bytes, str] = field(factory=dict[bytes, str])
    _tidied: threading.Condition = field(factory=threading.Condition)

    def wait_for(self, n_contents: int) -> None:
        """Wait until so many PDFs are kept."""
        with self._tidied:
            assert self._tidied.wait_for(lambda: len(self.contents) == n_contents, PATIENCE_SECONDS)

    def wait_until_tidied(self, n_times: int) -> None:
        """Wait until it was tidied so many times."""
        with self._tidied:
            assert self._tidied.wait_for(lambda: self.n_tidied >= n_times, PATIENCE_SECONDS)

    def content(self, key: bytes, *, ocr: bool) -> PdfContent | None:
        content = self.contents.get(key)
        return None if content is None or (content.ocr and not ocr) else content

    def markdown(self, key: bytes) -> str | None:
        return None if key in self.contents else self.documents.get(key)

    def put(self, key: bytes, content: PdfContent, raw: RawPdf | None) -> None:
        del raw
        self.before_put()
        self.contents[key] = content
        self.documents[key] = readable(content).text

    def keep_only(self, keys: Collection[bytes]) -> int:
        gone = self.documents.keys() - set(keys)
        with self._tidied:
            for key in gone:
                self.contents.pop(key, None)
                del self.documents[key]
            self.n_tidied += 1
            self._tidied.notify_all()
        return len(gone)


def _nothing() -> None:
    """Leave all as it is."""


def _told(path: Path, options: PdfOptions) -> Mapping[str, Any]:
    try:
        told = json.loads(path.read_bytes())
    except OSError as error:
        raise Unreadable("it cannot be read") from error
    except ValueError as error:
        raise PdfTrouble("notAPdf", "It is no PDF, whatever its name says.") from error
    if told["trouble"]:
        raise PdfTrouble(*told["trouble"])
    if told["password"] and told["password"] not in options.passwords:
        raise PdfTrouble("needsPassword", "It needs a password.")
    return told


def _blocks(pages: Sequence[Sequence[str]]) -> Sequence[Block]:
    blocks: list[Block] = []
    for number, page in enumerate(pages, start=1):
        for text in page:
            level = len(text) - len(text.lstrip("#"))
            kind = "heading" if level else "paragraph"
            blocks.append(Block(kind, text.lstrip("# "), number, _BOX, level))
    return blocks
