"""Reads notes from their files and stores them: those that are due at once, and many in steps.

Belongs to the indexer's thread. Nothing here waits: long work is cut into steps by `read_some`.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from itertools import islice
from typing import TypeVar

from attrs import define, field

from notekin.app.comparing import Before, Unread, UnreadCounts
from notekin.app.errors import Unreadable
from notekin.app.pdfs import Pdfs
from notekin.app.ports import (
    Files,
    FileText,
    FoundFile,
    Index,
    IndexWriter,
    NewNote,
    RawNote,
    StoredNote,
    Touched,
)
from notekin.app.preparing import RACY_NS, Preparer, is_racy
from notekin.app.preparing_ahead import Handed, PreparingAhead
from notekin.core.text import text_hash

# Notes a helper process prepares at once: some tens of milliseconds of work.
_N_TOGETHER = 32
# A step is this long, in seconds, where nobody waits: fewer transactions for the same notes.
_UNHURRIED_SECONDS = 0.1


def _always() -> bool:
    return True


@define
class Intake:
    """The notes of one vault that are to be read. `open_paths` come first, then the latest
    modified; `pdfs` go their own way. `gone` is called with a note that turned out to be no
    longer there.
    """

    files: Files
    index: Index
    writer: IndexWriter
    prepare: Preparer
    ahead: PreparingAhead
    pdfs: Pdfs
    gone: Callable[[str], None]
    open_paths: tuple[str, ...] = ()
    current: str = ""
    _unread: dict[str, Unread] = field(factory=dict[str, Unread])
    # When to read a note once more, in `time.monotonic` seconds; the soonest first.
    _racy: dict[str, float] = field(factory=dict[str, float])
    _touched: dict[str, Touched] = field(factory=dict[str, Touched])

    @property
    def has_unread(self) -> bool:
        return bool(self._unread) or self.ahead.is_busy

    def count_unread(self) -> UnreadCounts:
        """Count the notes to be read, those that are being prepared included."""
        waiting: list[Before] = [unread.before for unread in self._unread.values()]
        return UnreadCounts.of([*waiting, *self.ahead.befores()])

    def waiting(self) -> set[str]:
        """Return the notes that are still to be read or that are being prepared, PDFs too."""
        return {*self._unread, *self.ahead.paths(), *self.pdfs.waiting()}

    def is_unread(self, path: str) -> bool:
        """Return whether a note is still to be read; for a folder, whether any note is."""
        if path in self._unread or self.ahead.is_away(path):
            return True
        return self.has_unread and self.files.find(path) is None

    def enqueue(self, due: Iterable[Unread]) -> None:
        """Have notes read in steps, by `read_some`, and PDFs beside this thread."""
        due = list(self._without_pdfs(due))
        self.ahead.drop([unread.found.path for unread in due])
        first = set(self.open_paths)
        merged = {**self._unread, **{unread.found.path: unread for unread in due}}
        self._unread = dict(
            sorted(
                merged.items(),
                key=lambda item: (item[0] not in first, -item[1].found.stat.mtime_ns),
            )
        )

    def store(self, due: Iterable[Unread]) -> Sequence[str]:
        """Read notes now and store them in one transaction; return those that changed. PDFs are
        read beside this thread.
        """
        notes: list[NewNote] = []
        for unread in self._without_pdfs(due):
            self.drop([unread.found.path])
            raw = self._read(unread)
            if raw is not None and self._is_due(unread, raw):
                notes.extend(self._kept(raw, self.prepare.or_reason(raw)))
        return self._put(notes)

    def store_saved(self, saved: Iterable[RawNote]) -> Sequence[str]:
        """Store notes with the texts on screen; return those that changed."""
        notes: list[NewNote] = []
        for raw in saved:
            self.drop([raw.path])
            found = FoundFile(raw.path, raw.kind, raw.content.stat)
            if self._is_due(Unread(found), raw):
                notes.extend(self._kept(raw, self.prepare.or_reason(raw)))
        return self._put(notes)

    def read_some(
        self, seconds: float, is_waited_for: Callable[[], bool] = _always
    ) -> Sequence[str]:
        """Read unread notes for about `seconds`, for longer where nobody waits, and store them in
        one transaction; many of them go through helper processes.
        """
        if self.ahead.is_busy or self.ahead.is_worth_it(len(self._unread)):
            return self._read_ahead(seconds)
        self.ahead.close()
        return self.store(_for(seconds, self._next_unread(), is_waited_for))

    def rest(self) -> None:
        """End the helper processes until notes are read again; what is away waits once more."""
        self.enqueue(self.ahead.recall())

    def settles_in(self) -> float | None:
        """Return the seconds until there is something to settle, None while there is nothing."""
        soonest = next(iter(self._racy.values()), None)
        return None if soonest is None else max(0.0, soonest - time.monotonic())

    def settles(self, path: str) -> bool:
        """Return whether a note will be read once more anyway, in two seconds at most."""
        return path in self._racy

    def settle_later(self, path: str, *, racy: bool) -> None:
        """Have a note read once more where an equal stat proves nothing."""
        self._racy.pop(path, None)
        if racy:
            self._racy[path] = time.monotonic() + RACY_NS / 1e9

    def settle(self, seconds: float) -> bool:
        """Read notes again, for about `seconds`, that were modified so shortly before they were
        read that an equal stat proves nothing; return whether there was any.
        """

        def next_ones() -> Iterator[Unread | None]:
            while self.settles_in() == 0.0:
                path = next(iter(self._racy))
                del self._racy[path]
                found = self.files.find(path)
                yield Unread(found) if found is not None and not found.problem else None

        looked_at = list(_for(seconds, next_ones()))
        self.store([unread for unread in looked_at if unread is not None])
        return bool(looked_at)

    def drop(self, paths: Collection[str]) -> None:
        """Forget that notes, and all below them, are to be read."""
        self.ahead.drop(paths)
        self.pdfs.drop(paths)
        if self._unread:
            below = tuple(f"{path}/" for path in paths)
            for path in [p for p in self._unread if p in paths or p.startswith(below)]:
                del self._unread[path]

    def _without_pdfs(self, due: Iterable[Unread]) -> Iterator[Unread]:
        """Yield the notes of `due` as they come, for it may end when time is over; its PDFs are
        queued afterwards, all at once.
        """
        pdfs: list[Unread] = []
        try:
            for unread in due:
                if unread.found.kind == "pdf":
                    pdfs.append(unread)
                else:
                    yield unread
        finally:
            self.pdfs.enqueue(pdfs)

    def _next_unread(self) -> Iterator[Unread]:
        while self._unread:
            yield self._unread.pop(next(iter(self._unread)))

    def _read_ahead(self, seconds: float) -> Sequence[str]:
        while self._unread and self.ahead.has_room:
            self.ahead.hand_over(list(islice(self._handed(), _N_TOGETHER)))
        try:
            returned = self.ahead.take(seconds)
        except (OSError, CancelledError):
            # The helpers are gone: go on without them.
            self.enqueue(self.ahead.take_back())
            return ()
        notes = [note for each in returned for note in self._kept(each.handed.raw, each.note)]
        stored = self._put(notes)
        if not self.has_unread:
            self.ahead.close()
        return stored

    def _handed(self) -> Iterator[Handed]:
        for unread in self._next_unread():
            raw = self._read(unread)
            if raw is not None and self._is_due(unread, raw):
                yield Handed(unread, raw)

    def _read(self, unread: Unread) -> RawNote | None:
        """Return the file as it is now, None when it cannot be read, which is then recorded."""
        found = unread.found
        self.current = found.path
        try:
            content = self.files.read(found.path)
        except Unreadable as error:
            self._unreadable(found, str(error))
            return None
        racy = is_racy(content.stat, time.time_ns())
        return RawNote(found.path, found.kind, content, racy=racy)

    def _unreadable(self, found: FoundFile, reason: str) -> None:
        if self.files.find(found.path) is None:
            self.gone(found.path)
        else:
            self.settle_later(found.path, racy=is_racy(found.stat, time.time_ns()))
            self._fail(found, reason)

    def _fail(self, found: FoundFile, reason: str) -> None:
        """Record why a note cannot be read; what is recorded already is no news."""
        stored = self._note(found.path)
        if stored is None or (stored.reason, stored.stat) != (reason, found.stat):
            self.writer.fail(found.path, found.kind, found.stat, reason)

    def _is_due(self, unread: Unread, raw: RawNote) -> bool:
        """Return whether the note must be cut; of one whose text is stored the stat is kept."""
        self.settle_later(raw.path, racy=raw.racy)
        known = unread.before != "new" and not unread.forced
        if known and self._is_stored(raw.path, raw.content):
            self._touched[raw.path] = Touched(raw.path, raw.content.stat, raw.racy)
            return False
        return True

    def _kept(self, raw: RawNote, note: NewNote | str) -> Iterator[NewNote]:
        """Yield a prepared note; of one that could not be, record the reason."""
        if isinstance(note, str):
            self._fail(FoundFile(raw.path, raw.kind, raw.content.stat), note)
        else:
            yield note

    def _is_stored(self, path: str, content: FileText) -> bool:
        stored = self._note(path)
        return (
            stored is not None and not stored.reason and stored.text_hash == text_hash(content.text)
        )

    def _put(self, notes: Sequence[NewNote]) -> Sequence[str]:
        if self._touched:
            self.writer.touch(list(self._touched.values()))
            self._touched.clear()
        if notes:
            self.writer.put(notes)
        return [note.path for note in notes]

    def _note(self, path: str) -> StoredNote | None:
        with self.index.read() as reader:
            return reader.note(path)


_T = TypeVar("_T")


def _for(
    seconds: float, things: Iterable[_T], is_waited_for: Callable[[], bool] = _always
) -> Iterator[_T]:
    """Yield things until `seconds` are over, one at least; go on a little where nobody waits."""
    begun = time.monotonic()
    for thing in things:
        yield thing
        elapsed = time.monotonic() - begun
        if elapsed >= seconds and (elapsed >= _UNHURRIED_SECONDS or is_waited_for()):
            return
