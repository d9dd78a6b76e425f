"""Pages that are done, kept for the child after this one. Runs in the child only."""

import pickle
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from notekin.adapters.pdf_values import PageDraft


class Spool:
    """The pages that were read so far, also by the children before this one.

    They are kept in a file as long as that can be written. Where it can't, as on a full disk, a
    child that dies takes with it what was read since; nothing else is lost.
    """

    def __init__(self, path: Path | None) -> None:
        """`path` is None where there is no folder to keep pages in."""
        self.drafts: list[PageDraft] = []
        self._file: BinaryIO | None = None
        if path is not None:
            with suppress(OSError):
                self._file = path.open("a+b")
                self._file.seek(0)
                # What a child wrote half, nothing may be written behind.
                self._file.truncate(self._loaded(self._file))

    def keep(self, draft: PageDraft) -> None:
        """Add the next page."""
        self.drafts.append(draft)
        if self._file is not None:
            try:
                pickle.dump(draft, self._file, pickle.HIGHEST_PROTOCOL)
                self._file.flush()
            except OSError:
                self.close()

    def close(self) -> None:
        """Keep nothing more."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()

    def _loaded(self, file: BinaryIO) -> int:
        """Load the pages that are there as a whole; return where the last one ends."""
        end = 0
        with suppress(EOFError, pickle.UnpicklingError):
            while True:
                # A child wrote it, in a private folder.
                self.drafts.append(pickle.load(file))  # noqa: S301
                end = file.tell()
        return end
