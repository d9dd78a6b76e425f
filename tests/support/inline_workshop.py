"""A workshop without processes: batches are prepared when the test says so."""

from collections.abc import Sequence
from concurrent.futures import Future

from attrs import define, field

from notekin.adapters.helper import make_preparer
from notekin.adapters.tokens import token_counter
from notekin.app.ports import NewNote, RawNote

_PREPARE = make_preparer(token_counter())

Batch = tuple[Sequence[RawNote], "Future[Sequence[NewNote | str]]"]


@define
class InlineWorkshop:
    """Keeps what it is given in `waiting` until `work`."""

    n_places: int = 2
    waiting: list[Batch] = field(factory=list[Batch])
    closed: bool = False

    def prepare(self, batch: Sequence[RawNote]) -> "Future[Sequence[NewNote | str]]":
        future: Future[Sequence[NewNote | str]] = Future()
        self.waiting.append((batch, future))
        return future

    def work(self) -> None:
        """Do all that waits."""
        waiting, self.waiting = self.waiting, []
        for batch, future in waiting:
            future.set_result([_PREPARE.or_reason(raw) for raw in batch])

    def crash(self) -> None:
        """End as a process that was killed."""
        waiting, self.waiting = self.waiting, []
        for _, future in waiting:
            future.set_exception(OSError("A helper process ended early."))

    def close(self) -> None:
        self.closed = True
