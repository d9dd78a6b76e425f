"""Brings an index's notes to the state of the files: what changed, is new, moved, or is gone.

Belongs to the indexer's thread. Files are compared here; what is to be read goes to `intake`.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence

from attrs import define, evolve, field

from notekin.app.comparing import Unread, before, same_stat, unchanged
from notekin.app.errors import Unreadable
from notekin.app.hashing import content_hash
from notekin.app.intake import Intake
from notekin.app.pdfs import Pdfs
from notekin.app.ports import (
    Files,
    FileText,
    FoundFile,
    HashedFile,
    Index,
    IndexReader,
    IndexWriter,
    MovedNote,
    RawNote,
    StoredNote,
)
from notekin.app.preparing import Preparer, is_racy
from notekin.app.preparing_ahead import PreparingAhead
from notekin.app.renaming import Rename, renames
from notekin.core.rope import Content

# A burst beyond this is read in steps with all other unread notes, not at once.
_N_AT_ONCE = 50
_N_SCANNED_BETWEEN = 256


@define
class _Sight:
    """What was seen of some files, and what the index holds of them. `barred` are those that
    must not be opened.
    """

    barred: list[str] = field(factory=list[str])
    due: dict[str, Unread] = field(factory=dict[str, Unread])
    went: dict[str, StoredNote] = field(factory=dict[str, StoredNote])


@define
class NoteSync:
    """The notes of one vault.

    Whatever would remove notes raises `Unreadable` when the vault's folder is gone: a drive that
    was unplugged takes no note with it.
    """

    files: Files
    index: Index
    writer: IndexWriter
    prepare: Preparer
    ahead: PreparingAhead
    pdfs: Pdfs
    intake: Intake = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.intake = Intake(
            self.files,
            self.index,
            self.writer,
            self.prepare,
            self.ahead,
            self.pdfs,
            gone=self._gone,
        )

    def scan(self, between: Callable[[], None], *, forced: bool = False) -> None:
        """Compare all files with the index; `between` is called every few hundred files.

        Raises `Unreadable` when the vault's folder cannot be listed, and, unless `forced`, when
        nothing at all is left in it.
        """
        if not forced:
            self._refuse_emptiness()
        stored = self._stored()
        # What waits to be read may be excluded by now, and must not be opened.
        waiting = self.intake.waiting()
        seen: set[str] = set()
        sight = _Sight()
        for found in self.files.scan():
            seen.add(found.path)
            self._consider(found, stored.get(found.path), sight, forced=forced)
            if len(seen) % _N_SCANNED_BETWEEN == 0:
                between()
        sight.went = {path: note for path, note in stored.items() if path not in seen}
        if sight.went and not forced:
            self._refuse_emptiness()  # A drive may go in the middle.
        self.intake.drop({*(waiting - seen), *sight.barred})
        self.intake.enqueue(self._settled(sight))

    def look(self, paths: Mapping[str, bool]) -> Sequence[str]:
        """Look at files or folders that may have changed; return those stored at once. A path
        that maps to True is read and cut again even if it did not change.
        """
        sight = _Sight()
        with self.index.read() as reader:
            for path, forced in paths.items():
                self._look_at(path, reader, sight, forced=forced)
            self._look_for_origins(reader, sight)
        if sight.barred:
            self.intake.drop(sight.barred)
        due = self._settled(sight)
        if len(due) > _N_AT_ONCE:
            self.intake.enqueue(due)
            return ()
        return self.intake.store(due)

    def saved(self, contents: Mapping[str, Content]) -> Sequence[str]:
        """Store documents as they were saved in an editor; return the paths that changed."""
        notes: list[RawNote] = []
        elsewhere: list[str] = []
        for path, content in contents.items():
            found = self.files.find(path)
            if found is None or found.problem or found.kind == "pdf":
                elsewhere.append(path)
                continue
            # What is on screen is stored, so that hits fit it. The file may have changed once
            # more since it was saved, so it is compared a little later, whatever its stat says.
            read = FileText(content.text, found.stat)
            notes.append(RawNote(found.path, found.kind, read, racy=True))
        stored = self.intake.store_saved(notes)
        return [*stored, *self.look(dict.fromkeys(elsewhere, False))]

    def drop_excluded(self) -> None:
        """Remove the notes that the rules leave out by now, without a look at the files."""
        held = [path for path, note in self._stored().items() if not note.reason]
        self.forget([path for path in held if self.files.excludes(path)])

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
        self.intake.drop(paths)

    def _refuse_emptiness(self) -> None:
        """Raise `Unreadable` when the vault's folder holds nothing at all, but the index notes.

        That is what is left where a drive is no longer mounted.
        """
        counts = self.writer.counts() if self.files.is_empty() else None
        if counts is not None and counts.n_notes + counts.n_failed:
            raise Unreadable(
                f"The folder {self.files.root} is empty, but its index holds notes, and is kept: "
                "mount the drive or bring the notes back. If they were deleted, re-index with "
                "force (`notekin index --force`)."
            )

    def _look_at(self, path: str, reader: IndexReader, sight: _Sight, *, forced: bool) -> None:
        """Compare what stands at or below a path with what the index holds there."""
        found = self.files.find(path)
        here = list(self.files.below(path)) if found is None else [found]
        stored = dict(reader.notes(path)) if path else {}
        for each in here:
            # Where a file system ignores case, it may be spelled another way than asked for.
            known = stored.pop(each.path, None) or reader.note(each.path)
            self._consider(each, known, sight, forced=forced)
        sight.went.update(stored)
        if not here:
            self.intake.drop([path])

    def _look_for_origins(self, reader: IndexReader, sight: _Sight) -> None:
        """Find the notes that new files were, where nobody has told yet that they went."""
        new = [each.found for each in sight.due.values() if each.before == "new"]
        if new:
            moments = {found.stat.mtime_ns for found in new}
            for path, note in reader.notes_modified_at(moments).items():
                found = self.files.find(path) if path not in sight.went else None
                if found is None or found.path != path:
                    sight.went[path] = note

    def _consider(
        self, found: FoundFile, stored: StoredNote | None, sight: _Sight, *, forced: bool
    ) -> None:
        if found.problem:
            sight.barred.append(found.path)
            if not unchanged(found, stored):
                self.writer.fail(found.path, found.kind, found.stat, found.problem)
        elif forced or not self._is_known(found, stored):
            sight.due[found.path] = Unread(found, before(stored), forced)

    def _is_known(self, found: FoundFile, stored: StoredNote | None) -> bool:
        """Return whether the file need not be read now. One told of several times, as a save is
        by the editor and by those who watch the files, is read once.
        """
        will_be_read = self.intake.settles(found.path) and same_stat(found, stored)
        return will_be_read or unchanged(found, stored)

    def _settled(self, sight: _Sight) -> Sequence[Unread]:
        """Move notes that have another name now, and remove those that went; return what is to
        be read.
        """
        came = [each.found for each in sight.due.values()]
        moves = list(renames(sight.went, came, self._hashed))
        moved = {rename.old.path for rename in moves}
        # Before the moves: a note may have gone into a folder in the place of one that went.
        self.forget(sight.went.keys() - moved)
        self._move(moves)
        due = dict(sight.due)
        for rename in moves:
            unread = due.pop(rename.found.path)
            if unread.forced or rename.old.stage == "raw":
                due[rename.found.path] = evolve(unread, before="indexed")
        return list(due.values())

    def _move(self, moves: Sequence[Rename]) -> None:
        if not moves:
            return
        moved: list[MovedNote] = []
        with self.index.read() as reader:
            for rename in moves:
                racy = is_racy(rename.stat, time.time_ns())
                self.intake.settle_later(rename.found.path, racy=racy)
                moved.append(rename.moved(reader, racy=racy))
        self.intake.drop([path for note in moved for path in (note.old, note.new)])
        self.writer.move(moved)

    def _hashed(self, found: FoundFile) -> HashedFile | None:
        try:
            return content_hash(self.files, found)
        except Unreadable:
            return None  # Whoever reads it next records why.

    def _gone(self, path: str) -> None:
        self.forget([path])

    def _stored(self) -> Mapping[str, StoredNote]:
        with self.index.read() as reader:
            return reader.notes()
