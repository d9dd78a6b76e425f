"""Reads one PDF, first its bare text and then its layout. Runs beside the indexer's thread."""

from collections.abc import Callable

from attrs import evolve, frozen

from notekin.app.cancel import CancelToken
from notekin.app.comparing import Unread
from notekin.app.errors import Unreadable
from notekin.app.ports import (
    Files,
    HashedFile,
    Index,
    NewNote,
    PdfExtractor,
    PdfOptions,
    PdfShelf,
    PdfTrouble,
    Touched,
)
from notekin.app.ports.pdf import OnPage
from notekin.app.preparing import Preparer
from notekin.core.pdf import PdfContent, RawPdf, readable, readable_raw

# Of these the bare text is all there will be, where there is any.
_LAYOUT_ONLY = frozenset({"damaged", "timeLimit", "memoryLimit", "crashed"})

_BY_OCR = "Its text was read from images (OCR), and may be wrong in places."
_PAGES_LOST = "Its pages are not known any more: re-index it with force to read it again."
_NO_LAYOUT = "Only its bare text is indexed, without headings and tables: {}"


@frozen
class Layout:
    """A PDF whose layout is to be read: as its file was, and how many pages there are, 0 where
    that is not known yet.
    """

    unread: Unread
    file: HashedFile
    n_pages: int = 0


@frozen
class PdfRead:
    """What came of reading a PDF. `touched` tells that it is stored as it is; `failed` is the
    reason why there is nothing of it, `locked` whether a password helps, `kept` why there is only
    the bare text. `layout` is what is to be read next. With none of them, the file changed
    meanwhile: it is to be read again.
    """

    note: NewNote | None = None
    touched: Touched | None = None
    failed: str = ""
    locked: bool = False
    kept: str = ""
    layout: Layout | None = None


@frozen
class PdfReader:
    """Reads the PDFs of one vault. `options` are those of the moment."""

    files: Files
    index: Index
    shelf: PdfShelf
    extractor: PdfExtractor
    options: Callable[[], PdfOptions]
    prepare: Preparer

    def text(self, unread: Unread, token: CancelToken) -> PdfRead:
        """Return the bare text, or the whole where the same bytes were read before; raises
        `Cancelled`.
        """
        path = unread.found.path
        try:
            token.check()
            file = self.files.hash(path, token)
            return self._known(unread, file) or self._bare(unread, file, token)
        except Unreadable as error:
            return _failed(error)

    def layout(self, due: Layout, token: CancelToken, on_page: OnPage) -> PdfRead:
        """Return the whole PDF, and keep it for every other place where it stands; raises
        `Cancelled`.
        """
        path, options = due.unread.found.path, self.options()
        try:
            token.check()
            # Another copy of it may have been read since this one was found.
            content = self._kept(due.unread, due.file)
            if content is None:
                file = self.files.root / path
                content = self.extractor.extract(file, options, token, on_page)
                if not self._stands(path, due.file):
                    return PdfRead()
                self.shelf.put(due.file.hash, content, self._bare_of(path, content))
            return PdfRead(note=self._whole(path, due.file, content))
        except Unreadable as error:
            return self._unread(due, error)

    def _unread(self, due: Layout, error: Unreadable) -> PdfRead:
        """Return what is left of a PDF whose layout could not be read."""
        path = due.unread.found.path
        if not self._stands(path, due.file):
            return PdfRead()
        bare = isinstance(error, PdfTrouble) and error.kind in _LAYOUT_ONLY
        if bare and self._has_passages(path):
            return PdfRead(kept=str(error))
        return _failed(error)

    def _known(self, unread: Unread, file: HashedFile) -> PdfRead | None:
        """Return what these bytes are known to be, None for a PDF that is to be read."""
        path = unread.found.path
        with self.index.read() as reader:
            stored = reader.note(path)
        stage = stored.stage if stored is not None and stored.text_hash == file.hash else None
        if stage == "whole" and not unread.forced:
            return PdfRead(touched=Touched(path, file.stat))
        content = self._kept(unread, file)
        if content is not None:
            return PdfRead(note=self._whole(path, file, content))
        markdown = None if unread.forced else self.shelf.markdown(file.hash)
        if markdown is not None:
            note = self.prepare.pdf_alone(path, file, markdown)
            return PdfRead(note=evolve(note, warnings=(_PAGES_LOST,)))
        if stage == "raw" and not unread.forced:
            return PdfRead(layout=Layout(unread, file))
        return None

    def _kept(self, unread: Unread, file: HashedFile) -> PdfContent | None:
        """Return the layout of these bytes, None where it is to be read, or to be tried again."""
        content = self.shelf.content(file.hash, ocr=self.options().ocr)
        return None if content is not None and unread.forced and content.warnings else content

    def _bare(self, unread: Unread, file: HashedFile, token: CancelToken) -> PdfRead:
        path = unread.found.path
        try:
            raw = self.extractor.read_text(self.files.root / path, self.options(), token)
        except Unreadable:
            if self._stands(path, file):
                raise
            return PdfRead()
        if not self._stands(path, file):
            return PdfRead()
        note = self.prepare.pdf(path, file, readable_raw(raw))
        due = evolve(unread, before="indexed")
        return PdfRead(note=evolve(note, stage="raw"), layout=Layout(due, file, raw.n_pages))

    def _stands(self, path: str, file: HashedFile) -> bool:
        """Return whether a file is still the one that was hashed: the reader opened what stood at
        its path, which may have become another file, or a link out of the vault.
        """
        found = self.files.find(path)
        return found is not None and not found.problem and found.stat == file.stat

    def _bare_of(self, path: str, content: PdfContent) -> RawPdf | None:
        """Return the bare text as it was stored until now, in one piece."""
        with self.index.read() as reader:
            text = reader.readable(path)
        return None if text is None else RawPdf(content.n_pages, (text,))

    def _has_passages(self, path: str) -> bool:
        with self.index.read() as reader:
            return bool(reader.passages_of(path))

    def _whole(self, path: str, file: HashedFile, content: PdfContent) -> NewNote:
        warnings = (*content.warnings, *((_BY_OCR,) if content.ocr else ()))
        return evolve(self.prepare.pdf(path, file, readable(content)), warnings=warnings)


def _failed(error: Unreadable) -> PdfRead:
    locked = isinstance(error, PdfTrouble) and error.kind == "needsPassword"
    return PdfRead(failed=str(error), locked=locked)


def bare_only(why: str) -> tuple[str, ...]:
    """Return the warning for a PDF whose layout could not be read."""
    return (_NO_LAYOUT.format(why),)
