"""Many unread notes prepared in helper processes, a few batches ahead of the writer.

Belongs to the indexer's thread. A note that changes while it is away is forgotten here, so that
an older state never lands on a newer one.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet

from attrs import define, field, frozen

from notekin.app.comparing import Before, Unread
from notekin.app.ports import NewNote, RawNote, Workshop

# Fewer notes than these are prepared sooner than a helper has started.
N_WORTH_IT = 150

# Batches a helper, handed over and not yet written.
_N_AHEAD = 2


@frozen
class Handed:
    """A note that is away, with what it was read from."""

    unread: Unread
    raw: RawNote


@frozen
class Prepared:
    """A note that came back: ready to be stored, or with the reason why it cannot be."""

    handed: Handed
    note: NewNote | str


@define
class PreparingAhead:
    """Hands batches to a workshop and gives back what is done, in order."""

    open_workshop: Callable[[], Workshop]
    n_worth_it: int = N_WORTH_IT
    _workshop: Workshop | None = None
    _batches: deque[tuple[Sequence[Handed], Future[Sequence[NewNote | str]]]] = field(
        factory=deque[tuple[Sequence[Handed], Future[Sequence[NewNote | str]]]]
    )
    _away: dict[str, Handed] = field(factory=dict[str, Handed])
    _broken: bool = False

    @property
    def is_busy(self) -> bool:
        """Whether any note is away."""
        return bool(self._away)

    @property
    def has_room(self) -> bool:
        """Whether another batch would keep a helper from waiting: each works on one, and finds
        the next at hand even while an earlier one is late, or being written.
        """
        n_places = self._workshop.n_places if self._workshop is not None else 1
        return not self._broken and len(self._batches) < _N_AHEAD * n_places

    def is_worth_it(self, n_unread: int) -> bool:
        """Return whether so many unread notes are to be prepared here."""
        started = self._workshop is not None and n_unread > 0
        return not self._broken and (started or n_unread >= self.n_worth_it)

    def paths(self) -> Collection[str]:
        """Return the notes that are away."""
        return self._away.keys()

    def befores(self) -> Iterable[Before]:
        """Return what the index knows of each note that is away."""
        return (handed.unread.before for handed in self._away.values())

    def is_away(self, path: str) -> bool:
        """Return whether the note at `path` is being prepared."""
        return path in self._away

    def hand_over(self, batch: Sequence[Handed]) -> None:
        """Give a batch to the workshop, which is opened for the first."""
        if not batch:
            return
        if self._workshop is None:
            self._workshop = self.open_workshop()
        future = self._workshop.prepare([handed.raw for handed in batch])
        self._batches.append((batch, future))
        self._away.update((handed.raw.path, handed) for handed in batch)

    def take(self, seconds: float) -> Sequence[Prepared]:
        """Return the notes of the next batch, empty when it is not done in `seconds`.

        Raises `OSError` when the helpers are gone: `take_back` then has what was away.
        """
        if not self._batches:
            return ()
        batch, future = self._batches[0]
        try:
            notes = future.result(seconds)
        except NotYet:
            return ()
        self._batches.popleft()
        pairs = zip(batch, notes, strict=True)
        return [Prepared(handed, note) for handed, note in pairs if self._returned(handed)]

    def drop(self, paths: Collection[str]) -> None:
        """Forget notes that have changed or gone, and all below them."""
        if not self._away:
            return
        gone, below = set(paths), tuple(f"{path}/" for path in paths)
        for path in [p for p in self._away if p in gone or p.startswith(below)]:
            del self._away[path]

    def take_back(self) -> Sequence[Unread]:
        """Give up on the helpers, for good; return the notes that were away."""
        self._broken = True
        return self.recall()

    def recall(self) -> Sequence[Unread]:
        """End the helpers for now; return the notes that were away."""
        unread = [handed.unread for handed in self._away.values()]
        self.close()
        return unread

    def close(self) -> None:
        """End the helpers; they are started again when there is as much to do once more."""
        self._batches.clear()
        self._away.clear()
        if self._workshop is not None:
            self._workshop.close()
            self._workshop = None

    def _returned(self, handed: Handed) -> bool:
        """Take a note off those that are away, unless it was dropped or handed over again."""
        path = handed.raw.path
        if self._away.get(path) is not handed:
            return False
        del self._away[path]
        return True
