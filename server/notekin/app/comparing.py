"""Whether a file and what the index knows of it agree, judged without reading the file."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from attrs import frozen

from notekin.app.errors import Unreadable
from notekin.app.ports import Files, FoundFile, Index, StoredNote

Before = Literal["new", "indexed", "failed"]


@frozen
class Unread:
    """A note whose file must be read. `before` is what the index knows of it so far; `forced`
    tells that it is cut again though its text did not change.
    """

    found: FoundFile
    before: Before = "indexed"
    forced: bool = False


@frozen
class UnreadCounts:
    """How many notes are unread, by what the index knows of them so far."""

    n_new: int = 0
    n_indexed: int = 0
    n_failed: int = 0

    @property
    def n_all(self) -> int:
        return self.n_new + self.n_indexed + self.n_failed

    @classmethod
    def of(cls, befores: Iterable[Before]) -> "UnreadCounts":
        """Count notes by what the index knows of them."""
        n_of = Counter(befores)
        return cls(n_of["new"], n_of["indexed"], n_of["failed"])


def unchanged(found: FoundFile, stored: StoredNote | None) -> bool:
    """Return whether the index holds the file as it is, or knows why it cannot, by its stat."""
    if found.problem:
        return stored is not None and stored.reason == found.problem
    if stored is None or stored.racy or stored.stage == "raw":
        return False
    return stored.stat == found.stat


def same_stat(found: FoundFile, stored: StoredNote | None) -> bool:
    """As `unchanged`, but take a stat at its word."""
    return unchanged(found, stored) or (
        not found.problem and stored is not None and stored.stat == found.stat
    )


def before(stored: StoredNote | None) -> Before:
    """Return what the index knows of a note that is to be read."""
    if stored is None:
        return "new"
    return "failed" if stored.reason else "indexed"


def behind(files: Files, index: Index) -> Collection[str]:
    """Return the notes that the index does not hold as they are, going by their stat, those
    that are gone included; raises `Unreadable` when the vault's folder cannot be listed, or holds
    nothing at all: it may be the place of a drive that is not mounted.
    """
    if files.is_empty():
        raise Unreadable(f"The folder {files.root} is empty.")
    with index.read() as reader:
        stored = reader.notes()
    gone = dict.fromkeys(stored)
    differing: list[str] = []
    for found in files.scan():
        gone.pop(found.path, None)
        if not same_stat(found, stored.get(found.path)):
            differing.append(found.path)
    return [*differing, *gone]


def count_due(files: Files, index: Index, paths: Collection[str], *, forced: bool) -> int:
    """Count the notes at or below `paths` ("" is the vault) that a re-index has to read."""
    with index.read() as reader:
        stored = reader.notes()
    found = files.scan() if "" in paths else _found(files, paths)
    return sum(forced or not unchanged(each, stored.get(each.path)) for each in found)


def _found(files: Files, paths: Collection[str]) -> Iterator[FoundFile]:
    for path in paths:
        found = files.find(path)
        yield from files.below(path) if found is None else (found,)
