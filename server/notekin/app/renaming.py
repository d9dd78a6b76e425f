"""Which notes that came are notes that went, under another name.

A rename keeps the file: its time, its size and its number. Where a sync client or a branch made
another file of it, the text tells, so such files are read if one of their size is gone. Each
note that went is taken once, so that two notes of the same text stay two; what a copy was made
of is still there, so a copy is none of this.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from attrs import define, field, frozen

from notekin.app.ports import FileText, FoundFile, IndexReader, MovedNote, StoredNote
from notekin.app.preparing import SharedTerms
from notekin.core.text import text_hash

ReadFile = Callable[[FoundFile], FileText | None]


@frozen
class Rename:
    """A note that stands elsewhere now. `read` is its file, where it had to be read for that."""

    old: StoredNote
    found: FoundFile
    read: FileText | None = None

    def moved(self, reader: IndexReader, *, racy: bool) -> MovedNote:
        """Return the note as it is to be stored, its passages being called by its new name."""
        shared = SharedTerms.of(self.found.path, self.old)
        return MovedNote(
            old=self.old.path,
            new=self.found.path,
            stat=self.found.stat if self.read is None else self.read.stat,
            racy=racy,
            terms={
                passage.id: shared.with_passage(passage.headings, passage.text)
                for passage in reader.passages_of(self.old.path)
            },
        )


def renames(
    went: Mapping[str, StoredNote], came: Sequence[FoundFile], read: ReadFile
) -> Iterator[Rename]:
    """Yield which of the files that came are notes that went. `read` returns a file's text,
    None when it cannot be read.
    """
    left = _Went.of(went.values())
    unknown: list[FoundFile] = []
    for found in came if left.has_any else ():
        old = left.take(_file_keys(found.path, found))
        if old is None:
            unknown.append(found)
        else:
            yield Rename(old, found)
    for found in unknown:
        if (content := read(found) if left.may_be(found) else None) is not None:
            old = left.take(_text_keys(found.path, text_hash(content.text)))
            if old is not None:
                yield Rename(old, found, content)


@define
class _Went:
    """Notes that went, each to be taken once, by any of its keys."""

    _by_key: defaultdict[Hashable, list[StoredNote]] = field(
        factory=lambda: defaultdict[Hashable, list[StoredNote]](list)
    )
    _sizes: set[int] = field(factory=set[int])
    _taken: set[str] = field(factory=set[str])

    @classmethod
    def of(cls, notes: Iterable[StoredNote]) -> "_Went":
        went = cls()
        # The last is taken first.
        for note in sorted(notes, key=lambda note: note.path, reverse=True):
            if not note.reason and note.text_hash:
                went._sizes.add(note.stat.size)
                for key in (*_file_keys(note.path, note), *_text_keys(note.path, note.text_hash)):
                    went._by_key[key].append(note)
        return went

    @property
    def has_any(self) -> bool:
        return bool(self._by_key)

    def may_be(self, found: FoundFile) -> bool:
        """Return whether a file of this size went."""
        return found.stat.size in self._sizes

    def take(self, keys: Iterable[Hashable]) -> StoredNote | None:
        """Return a note with one of `keys`, the first that any has."""
        for key in keys:
            waiting = self._by_key.get(key, [])
            while waiting:
                note = waiting.pop()
                if note.path not in self._taken:
                    self._taken.add(note.path)
                    return note
        return None


def _file_keys(path: str, note: StoredNote | FoundFile) -> Sequence[Hashable]:
    """Return what tells the same file, as far as the file system numbers its files."""
    if not note.stat.inode:
        return ()
    name = PurePosixPath(path)
    same = (name.suffix.lower(), note.stat)
    # Hard links share a number: of several the one of the same name is meant.
    return (*same, name.name), same


def _text_keys(path: str, hash_: bytes) -> Sequence[Hashable]:
    """Return what tells the same text; how it is read depends on the suffix."""
    name = PurePosixPath(path)
    same = (name.suffix.lower(), hash_)
    return (*same, name.name), same
