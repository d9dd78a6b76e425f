"""Which notes that came are notes that went, under another name.

The text decides, so every file that came is read if one of its size is gone. Its time, size and
number do not prove that a file is the same: a number is given to the next new file as soon as it
is free, and a time can be set. They tell which one was meant where several of the same text went.
Each note that went is taken once, so that two notes of the same text stay two; what a copy was
made of is still there, so a copy is none of this.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from attrs import define, field, frozen

from notekin.app.ports import FileStat, FoundFile, HashedFile, IndexReader, MovedNote, StoredNote
from notekin.app.preparing import SharedTerms

HashFile = Callable[[FoundFile], HashedFile | None]


@frozen
class Rename:
    """A note that stands elsewhere now. `stat` was taken when its file was read there."""

    old: StoredNote
    found: FoundFile
    stat: FileStat

    def moved(self, reader: IndexReader, *, racy: bool) -> MovedNote:
        """Return the note as it is to be stored, its passages being called by its new name."""
        shared = SharedTerms.of(self.found.path, self.old)
        return MovedNote(
            old=self.old.path,
            new=self.found.path,
            stat=self.stat,
            racy=racy,
            terms={
                passage.id: shared.with_passage(passage.headings, passage.text)
                for passage in reader.passages_of(self.old.path)
            },
        )


def renames(
    went: Mapping[str, StoredNote], came: Sequence[FoundFile], hashed: HashFile
) -> Iterator[Rename]:
    """Yield which of the files that came are notes that went. `hashed` returns the hash by which
    the index tells a file's content from another, None when it cannot be read.
    """
    left = _Went.of(went.values())
    unknown: list[_Came] = []
    for found in came:
        if not left.may_be(found) or (content := hashed(found)) is None:
            continue
        one = _Came(found, content.stat, content.hash)
        old = left.take(_file_keys(found.path, one.stat, one.hash))
        if old is None:
            unknown.append(one)
        else:
            yield Rename(old, found, one.stat)
    for one in unknown:
        old = left.take(_text_keys(one.found.path, one.hash))
        if old is not None:
            yield Rename(old, one.found, one.stat)


@frozen
class _Came:
    """A file that came, as it was when it was read."""

    found: FoundFile
    stat: FileStat
    hash: bytes


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
                of_file = _file_keys(note.path, note.stat, note.text_hash)
                for key in (*of_file, *_text_keys(note.path, note.text_hash)):
                    went._by_key[key].append(note)
        return went

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


def _file_keys(path: str, stat: FileStat, hash_: bytes) -> Sequence[Hashable]:
    """Return what tells the same text in the same file, as far as files are numbered."""
    if not stat.inode:
        return ()
    name = PurePosixPath(path)
    same = (name.suffix.lower(), hash_, stat)
    # Hard links share a number: of several the one of the same name is meant.
    return (*same, name.name), same


def _text_keys(path: str, hash_: bytes) -> Sequence[Hashable]:
    """Return what tells the same text; how it is read depends on the suffix."""
    name = PurePosixPath(path)
    same = (name.suffix.lower(), hash_)
    return (*same, name.name), same
