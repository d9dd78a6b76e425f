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

    Each of those is asked of a passage once, while that waits and the index does not change. An
    index that has nothing of some passages may have all of the next ones: that of a vault which was
    closed in this one has those of one folder.
    """

    def __init__(
        self,
        open_shelves: Callable[[], Iterable[VectorShelf]] = lambda: (),
        closed_shelves: Callable[[], Iterable[VectorShelf]] = lambda: (),
    ) -> None:
        self._open_shelves = open_shelves
        self._closed_shelves = closed_shelves
        # Of what was asked last: no more waits at a time.
        self._asked_in_vain: Mapping[VectorShelf, AbstractSet[bytes]] = {}

    @property
    def has_lenders(self) -> bool:
        """Whether there is anybody to ask."""
        return any(True for _ in (*self._open_shelves(), *self._closed_shelves()))

    @property
    def has_news(self) -> bool:
        """Whether a closed index came or changed since it was asked: another process is at work."""
        return not self._asked_in_vain.keys() >= set(self._closed_shelves())

    def rest(self) -> None:
        """What was asked waits no more, or for another model: everybody may have something."""
        self._asked_in_vain = {}

    def borrow(self, hashes: AbstractSet[bytes], model: ModelInfo) -> Lent:
        """Return those of `hashes` that somebody has vectors of by `model`."""
        found: dict[bytes, Sequence[Vector]] = {}
        for shelf in self._open_shelves():
            found.update(_lent(shelf, hashes - found.keys(), model))
        asked_in_vain: dict[VectorShelf, AbstractSet[bytes]] = {}
        for shelf in self._closed_shelves():
            missing = hashes - found.keys()
            known = self._asked_in_vain.get(shelf, frozenset())
            found.update(_lent(shelf, missing - known, model))
            asked_in_vain[shelf] = missing - found.keys()
        self._asked_in_vain = asked_in_vain
        return found


def _lent(shelf: VectorShelf, hashes: Collection[bytes], model: ModelInfo) -> Lent:
    try:
        return shelf.lend(hashes, model) if hashes else {}
    except IndexUnusable:
        return {}  # Its own vault says so; here it only means that nothing is to be had.
