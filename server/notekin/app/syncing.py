"""Brings an index's notes to the state of the files: what changed, is new, or is gone.

Belongs to the indexer's thread. Nothing here waits: long work is cut into steps by `read_some`.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from attrs import define, field, frozen

from notekin.app.errors import Unreadable
from notekin.app.ports import (
    Files,
    FileText,
    FoundFile,
    Index,
    IndexWriter,
    NewNote,
    StoredNote,
)
from notekin.app.preparing import RACY_NS, Preparer, is_racy
from notekin.core.note import Kind
from notekin.core.text import text_hash

# A burst beyond this is read in steps with all other unread notes, not at once.
_N_AT_ONCE = 50
_N_SCANNED_BETWEEN = 256


@frozen
class Unread:
    """A note whose file must be read. `known` tells that an older state of it is indexed;
    `forced` that it is cut again though its text did not change.
    """

    found: FoundFile
    known: bool
    forced: bool = False


@define
class NoteSync:
    """The notes of one vault. `open_paths` are read first, then the latest modified."""

    files: Files
    index: Index
    writer: IndexWriter
    prepare: Preparer
    open_paths: tuple[str, ...] = ()
    current: str = ""
    _unread: dict[str, Unread] = field(factory=dict[str, Unread])
    _racy: set[str] = field(factory=set[str])
    _racy_since: float = 0.0

    @property
    def n_unread(self) -> int:
        return len(self._unread)

    @property
    def n_unread_known(self) -> int:
        """How many of the unread are indexed in an older state."""
        return sum(unread.known for unread in self._unread.values())

    def scan(self, between: Callable[[], None], *, forced: bool = False) -> None:
        """Compare all files with the index; `between` is called every few hundred files.

        Raises `Unreadable` when the vault's folder cannot be listed: then nothing is deleted.
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
        for path, forced in paths.items():
            found = self.files.find(path)
            if found is not None:
                self._consider(found, self._note(path), due, forced=forced)
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
            # What is on screen is stored, so that hits fit it; the racy mark makes us compare
            # it with the file a little later.
            content = FileText(text, found.stat)
            note = self._prepared(Unread(found, known=True), content)
            if note is not None:
                notes.append(note)
            self._unread.pop(path, None)
        self._put(notes)
        return [*(note.path for note in notes), *self.look(dict.fromkeys(elsewhere, False))]

    def read_some(self, seconds: float) -> Sequence[str]:
        """Read unread notes for about `seconds` and store them in one transaction."""
        deadline = time.monotonic() + seconds
        taken: list[Unread] = []

        def in_time() -> Iterable[Unread]:
            while self._unread and (not taken or time.monotonic() < deadline):
                taken.append(self._unread.pop(next(iter(self._unread))))
                yield taken[-1]

        return self._store(in_time())

    def settle(self) -> float | None:
        """Read notes again that were modified so shortly before they were read that an equal
        stat proves nothing; return the seconds until there is something to settle.
        """
        if not self._racy:
            return None
        wait = self._racy_since + RACY_NS / 1e9 - time.monotonic()
        if wait > 0:
            return wait
        racy, self._racy = self._racy, set()
        for path in racy:
            found = self.files.find(path)
            if found is not None and not found.problem:
                self._store([Unread(found, known=True)])
        return None

    def forget(self, paths: Collection[str]) -> None:
        """Remove notes, and all below them, that are gone or excluded."""
        if not paths:
            return
        self.writer.delete(paths)
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
            self.forget({p for p in stored if p.startswith(f"{folder}/")} - seen)
        return bool(seen)

    def _consider(
        self, found: FoundFile, stored: StoredNote | None, due: list[Unread], *, forced: bool
    ) -> None:
        if found.problem:
            if not unchanged(found, stored):
                self.writer.fail(found.path, found.kind, found.stat, found.problem)
        elif forced or not unchanged(found, stored):
            known = stored is not None and not stored.reason
            due.append(Unread(found, known=known, forced=forced))

    def _enqueue(self, due: Sequence[Unread]) -> None:
        first = set(self.open_paths)
        merged = {**self._unread, **{unread.found.path: unread for unread in due}}
        self._unread = dict(
            sorted(
                merged.items(),
                key=lambda item: (item[0] not in first, -item[1].found.stat.mtime_ns),
            )
        )

    def _store(self, due: Iterable[Unread]) -> Sequence[str]:
        notes: list[NewNote] = []
        for unread in due:
            found = unread.found
            self.current = found.path
            try:
                content = self.files.read(found.path)
            except Unreadable as error:
                self._unreadable(found, str(error))
                continue
            note = self._prepared(unread, content)
            if note is not None:
                notes.append(note)
        self._put(notes)
        return [note.path for note in notes]

    def _unreadable(self, found: FoundFile, reason: str) -> None:
        if self.files.find(found.path) is None:
            self.forget([found.path])
        else:
            self.writer.fail(found.path, found.kind, found.stat, reason)

    def _prepared(self, unread: Unread, content: FileText) -> NewNote | None:
        """Return the note, None when its text is the stored one or nothing can be made of it."""
        path, kind = unread.found.path, unread.found.kind
        now_ns = time.time_ns()
        racy = is_racy(content.stat, now_ns)
        if racy:
            self._racy.add(path)
            self._racy_since = time.monotonic()
        if not unread.forced and self._is_stored(path, content):
            self.writer.touch(path, content.stat, racy=racy)
            return None
        return self._parsed(path, kind, content, now_ns)

    def _parsed(self, path: str, kind: Kind, content: FileText, now_ns: int) -> NewNote | None:
        try:
            return self.prepare(path, kind, content, now_ns)
        except (ValueError, LookupError, RecursionError, MemoryError) as error:
            # No input is known that gets here; one that does must not stop the other notes.
            reason = f"it could not be parsed ({type(error).__name__}); please report this note"
            self.writer.fail(path, kind, content.stat, reason)
            return None

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


def unchanged(found: FoundFile, stored: StoredNote | None) -> bool:
    """Return whether the index holds the file as it is, or knows why it cannot, by its stat."""
    if found.problem:
        return stored is not None and stored.reason == found.problem
    return stored is not None and not stored.racy and stored.stat == found.stat
