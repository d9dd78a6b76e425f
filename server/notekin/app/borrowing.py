"""Vectors of passages that another vault holds, too: taken from there, not embedded again.

A passage occurs in two vaults when one lies in the other, was copied, or was opened as a part of
what is indexed already.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from notekin.app.errors import IndexUnusable
from notekin.app.ports import ModelInfo, VectorShelf
from notekin.core.vectors import Vector

Lent = Mapping[bytes, Sequence[Vector]]


class Borrower:
    """Asks the other vaults of this process, then indexes that are closed.

    Of those, one that has nothing of what it is asked is of other notes, and is not asked again
    until the next piece of work, or until it changed: then it is another value.
    """

    def __init__(
        self,
        open_shelves: Callable[[], Iterable[VectorShelf]] = lambda: (),
        closed_shelves: Callable[[], Iterable[VectorShelf]] = lambda: (),
    ) -> None:
        self._open_shelves = open_shelves
        self._closed_shelves = closed_shelves
        self._useless: set[VectorShelf] = set()

    @property
    def has_lenders(self) -> bool:
        """Whether there is anybody to ask."""
        return any(True for _ in (*self._open_shelves(), *self._closed_shelves()))

    def rest(self) -> None:
        """A piece of work is done: in the next one, everybody may have something."""
        self._useless.clear()

    def borrow(self, hashes: AbstractSet[bytes], model: ModelInfo) -> Lent:
        """Return those of `hashes` that somebody has vectors of by `model`."""
        found: dict[bytes, Sequence[Vector]] = {}
        for shelf in self._open_shelves():
            found.update(_lent(shelf, hashes - found.keys(), model))
        for shelf in self._closed_shelves():
            missing = hashes - found.keys()
            if not missing or shelf in self._useless:
                continue
            lent = _lent(shelf, missing, model)
            found.update(lent)
            if not lent:
                self._useless.add(shelf)
        return found


def _lent(shelf: VectorShelf, hashes: Collection[bytes], model: ModelInfo) -> Lent:
    try:
        return shelf.lend(hashes, model) if hashes else {}
    except IndexUnusable:
        return {}  # Its own vault says so; here it only means that nothing is to be had.
