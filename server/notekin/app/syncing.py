"""Brings an index's notes to the state of the files: what changed, is new, or is gone.

Belongs to the indexer's thread. Nothing here waits: long work is cut into steps by `read_some`.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from itertools import islice
from typing import TypeVar

from attrs import define, field

from notekin.app.comparing import Before, Unread, UnreadCounts, before, unchanged
from notekin.app.errors import Unreadable
from notekin.app.ports import (
    Files,
    FileText,
    FoundFile,
    Index,
    IndexWriter,
    NewNote,
    RawNote,
    StoredNote,
)
from notekin.app.preparing import RACY_NS, Preparer, is_racy
from notekin.app.preparing_ahead import Handed, PreparingAhead
from notekin.core.text import text_hash

# A burst beyond this is read in steps with all other unread notes, not at once.
_N_AT_ONCE = 50
_N_SCANNED_BETWEEN = 256
# Notes a helper process prepares at once: some tens of milliseconds of work.
_N_TOGETHER = 32


@define
class NoteSync:
    """The notes of one vault. `open_paths` are read first, then the latest modified.

    Whatever would remove notes raises `Unreadable` when the vault's folder is gone: a drive that
    was unplugged takes no note with it.
    """

    files: Files
    index: Index
    writer: IndexWriter
    prepare: Preparer
    ahead: PreparingAhead
    open_paths: tuple[str, ...] = ()
    current: str = ""
    _unread: dict[str, Unread] = field(factory=dict[str, Unread])
    # When to read a note once more, in `time.monotonic` seconds; the soonest first.
    _racy: dict[str, float] = field(factory=dict[str, float])

    @property
    def has_unread(self) -> bool:
        return bool(self._unread) or self.ahead.is_busy

    def count_unread(self) -> UnreadCounts:
        """Count the notes to be read, those that are being prepared included."""
        waiting: list[Before] = [unread.before for unread in self._unread.values()]
        return UnreadCounts.of([*waiting, *self.ahead.befores()])

    def scan(self, between: Callable[[], None], *, forced: bool = False) -> None:
        """Compare all files with the index; `between` is called every few hundred files.

        Raises `Unreadable` when the vault's folder cannot be listed.
        """
        stored = self._stored()
        seen: set[str] = set()
        due: list[Unread] = []
        for found in self.files.scan():
            seen.add(found.path)
            self._consider(found, stored.get(found.path), due, forced=forced)
            if len(seen) % _N_SCANNED_BETWEEN == 0:
                between()
        self.forget(stored.keys() - seen)
        self._enqueue(due)

    def look(self, paths: Mapping[str, bool]) -> Sequence[str]:
        """Look at files or folders that may have changed; return those stored at once. A path
        that maps to True is read and cut again even if it did not change.
        """
        due: list[Unread] = []
        gone: list[str] = []
        there = {path: found for path in paths if (found := self.files.find(path)) is not None}
        stored = {path: self._note(path) for path in there}
        # Where a new file is, a folder of its name may have been.
        self.forget([path for path in there if stored[path] is None])
        for path, forced in paths.items():
            if path in there:
                self._consider(there[path], stored[path], due, forced=forced)
            elif not self._look_below(path, due, forced=forced):
                gone.append(path)
        self.forget(gone)
        if len(due) > _N_AT_ONCE:
            self._enqueue(due)
            return ()
        return self._store(due)

    def saved(self, texts: Mapping[str, str]) -> Sequence[str]:
        """Store documents as they were saved in an editor; return the paths that changed."""
        notes: list[NewNote] = []
        elsewhere: list[str] = []
        for path, text in texts.items():
            found = self.files.find(path)
            if found is None or found.problem:
                elsewhere.append(path)
                continue
            # What is on screen is stored, so that hits fit it. The file may have changed once
            # more since it was saved, so it is compared a little later, whatever its stat says.
            raw = RawNote(path, found.kind, FileText(text, found.stat), racy=True)
            self._unread.pop(path, None)
            self.ahead.drop([path])
            if self._is_due(Unread(found), raw):
                notes.extend(self._kept(raw, self.prepare.or_reason(raw)))
        self._put(notes)
        return [*(note.path for note in notes), *self.look(dict.fromkeys(elsewhere, False))]

    def read_some(self, seconds: float) -> Sequence[str]:
        """Read unread notes for about `seconds` and store them in one transaction; many of them
        go through helper processes.
        """
        if self.ahead.is_busy or self.ahead.is_worth_it(len(self._unread)):
            return self._read_ahead(seconds)
        self.ahead.close()
        return self._store(_for(seconds, self._next_unread()))

    def rest(self) -> None:
        """End the helper processes until notes are read again; what is away waits once more."""
        self._enqueue(self.ahead.recall())

    def settles_in(self) -> float | None:
        """Return the seconds until there is something to settle, None while there is nothing."""
        soonest = next(iter(self._racy.values()), None)
        return None if soonest is None else max(0.0, soonest - time.monotonic())

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
        self._store([unread for unread in looked_at if unread is not None])
        return bool(looked_at)

    def forget(self, paths: Collection[str]) -> None:
        """Remove notes, and all below them, that are gone or excluded."""
        if not paths:
            return
        if not self.files.root.is_dir():
            raise Unreadable(
                f"The folder {self.files.root} is not there: bring it back, or close it. "
                "Its index is kept."
            )
        self.writer.delete(paths)
        self.ahead.drop(paths)
        below = tuple(f"{path}/" for path in paths)
        for path in [p for p in self._unread if p in paths or p.startswith(below)]:
            del self._unread[path]

    def _look_below(self, folder: str, due: list[Unread], *, forced: bool) -> bool:
        stored: Mapping[str, StoredNote] | None = None
        seen: set[str] = set()
        for found in self.files.below(folder):
            stored = self._stored() if stored is None else stored
            seen.add(found.path)
            self._consider(found, stored.get(found.path), due, forced=forced)
        if stored is not None:
            self.forget({p for p in stored if f"{p}/".startswith(f"{folder}/")} - seen)
        return bool(seen)

    def _consider(
        self, found: FoundFile, stored: StoredNote | None, due: list[Unread], *, forced: bool
    ) -> None:
        if found.problem:
            if not unchanged(found, stored):
                self.writer.fail(found.path, found.kind, found.stat, found.problem)
        elif forced or not unchanged(found, stored):
            due.append(Unread(found, before(stored), forced))

    def _enqueue(self, due: Sequence[Unread]) -> None:
        self.ahead.drop([unread.found.path for unread in due])
        first = set(self.open_paths)
        merged = {**self._unread, **{unread.found.path: unread for unread in due}}
        self._unread = dict(
            sorted(
                merged.items(),
                key=lambda item: (item[0] not in first, -item[1].found.stat.mtime_ns),
            )
        )

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
            self._enqueue(self.ahead.take_back())
            return ()
        notes = [note for each in returned for note in self._kept(each.handed.raw, each.note)]
        self._put(notes)
        if not self.has_unread:
            self.ahead.close()
        return [note.path for note in notes]

    def _handed(self) -> Iterator[Handed]:
        for unread in self._next_unread():
            raw = self._read(unread)
            if raw is not None and self._is_due(unread, raw):
                yield Handed(unread, raw)

    def _store(self, due: Iterable[Unread]) -> Sequence[str]:
        notes: list[NewNote] = []
        for unread in due:
            self._unread.pop(unread.found.path, None)
            self.ahead.drop([unread.found.path])
            raw = self._read(unread)
            if raw is not None and self._is_due(unread, raw):
                notes.extend(self._kept(raw, self.prepare.or_reason(raw)))
        self._put(notes)
        return [note.path for note in notes]

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
            self.forget([found.path])
        else:
            self._settle_later(found.path, racy=is_racy(found.stat, time.time_ns()))
            self.writer.fail(found.path, found.kind, found.stat, reason)

    def _settle_later(self, path: str, *, racy: bool) -> None:
        self._racy.pop(path, None)
        if racy:
            self._racy[path] = time.monotonic() + RACY_NS / 1e9

    def _is_due(self, unread: Unread, raw: RawNote) -> bool:
        """Return whether the note must be cut; of one whose text is stored the stat is kept."""
        self._settle_later(raw.path, racy=raw.racy)
        known = unread.before != "new" and not unread.forced
        if known and self._is_stored(raw.path, raw.content):
            self.writer.touch(raw.path, raw.content.stat, racy=raw.racy)
            return False
        return True

    def _kept(self, raw: RawNote, note: NewNote | str) -> Iterator[NewNote]:
        """Yield a prepared note; of one that could not be, record the reason."""
        if isinstance(note, str):
            self.writer.fail(raw.path, raw.kind, raw.content.stat, note)
        else:
            yield note

    def _is_stored(self, path: str, content: FileText) -> bool:
        stored = self._note(path)
        return (
            stored is not None and not stored.reason and stored.text_hash == text_hash(content.text)
        )

    def _put(self, notes: Sequence[NewNote]) -> None:
        if notes:
            self.writer.put(notes)

    def _note(self, path: str) -> StoredNote | None:
        with self.index.read() as reader:
            return reader.note(path)

    def _stored(self) -> Mapping[str, StoredNote]:
        with self.index.read() as reader:
            return reader.notes()


_T = TypeVar("_T")


def _for(seconds: float, things: Iterable[_T]) -> Iterator[_T]:
    """Yield things until `seconds` are over, one at least."""
    deadline = time.monotonic() + seconds
    for thing in things:
        yield thing
        if time.monotonic() >= deadline:
            return
