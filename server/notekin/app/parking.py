"""What parks one vault's work: by whom, in which processes, and until when.

Any thread may call. What holds from now on is known at once; the indexer's thread follows within
one step.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

from attrs import frozen

from notekin.app.backlog import Backlog
from notekin.app.errors import IndexUnusable
from notekin.app.halts import Halt, Halts, Order
from notekin.app.inbox import Inbox
from notekin.app.pdfs import Pdfs
from notekin.app.ports import Index
from notekin.app.reporting import Reporter

# What could not be recorded is tried again this soon, in seconds.
_RETRY_SECONDS: Final = 1.0
_NAMES: Final[dict[Order | None, str]] = {"user": "pause", "cancelled": "cancel", None: "resume"}


@frozen
class _Unrecorded:
    """An order, or a resume (None), that holds here and that no other process knows of yet."""

    order: Order | None
    why: str
    tried_at: float

    @property
    def notice(self) -> str:
        return (
            f"The {_NAMES[self.order]} holds in this window only, because it could not be recorded;"
            f" Notekin goes on trying. {self.why}"
        )


class Parking:
    """Holds the reasons, and has everything else go by them."""

    def __init__(
        self, index: Index, inbox: Inbox, backlog: Backlog, pdfs: Pdfs, report: Reporter
    ) -> None:
        self._index = index
        self._inbox = inbox
        self._backlog = backlog
        self._pdfs = pdfs
        self._report = report
        # The reasons and what the backlog was told of them change as one.
        self._changing = threading.Lock()
        self._halts = Halts()
        # What is known of the order that every process sees; the lock keeps the index, this and
        # the reasons one: whoever reads or writes the order obeys it before anybody else does.
        self._recording = threading.Lock()
        self._recorded: Order | None = None
        self._unrecorded: _Unrecorded | None = None

    @property
    def notice(self) -> str:
        """A sentence about what other processes were not told yet, "" when they know all."""
        unrecorded = self._unrecorded
        return unrecorded.notice if unrecorded else ""

    def halts(self) -> Halts:
        """Return what is parked now."""
        return self._halts

    def halt(self, halt: Halt) -> None:
        """Park what `Halts` says of this reason until it is lifted, or `resume`."""
        self._become(lambda halts: halts.having(halt))
        self._told()

    def lift(self, halt: Halt) -> None:
        """Go on with what this reason alone parked."""
        self._become(lambda halts: halts.lacking(halt))
        self._told()

    def order(self, order: Order) -> None:
        """Park as `halt` does, for every process: until `resume` if it is `user`, until then or
        until another process takes the indexing up if it is `cancelled`.

        While it cannot be recorded it is in force here, `notice` says so, and `catch_up` tries
        again.
        """
        self.halt(order)
        with self._recording:
            self._record(order)
        self._told()

    def resume(self) -> None:
        """Go on where any `halt` or `order` stopped, and try again what failed. It is recorded as
        an `order` is.
        """
        with self._recording:
            self._record(None)
            self._become(lambda _: Halts())
        self._told()

    def catch_up(self) -> None:
        """Record what could not be recorded, when it is time to try again. To be called now and
        then, by whatever thread waits for other processes.
        """
        waiting = self._unrecorded
        if waiting is None or time.monotonic() < waiting.tried_at + _RETRY_SECONDS:
            return
        with self._recording:
            # What was ordered meanwhile was recorded, or waits in the place of this.
            if self._unrecorded is waiting:
                self._record(waiting.order)
        self._told()

    def begin(self) -> None:
        """Drop what was cancelled in a process that has stopped indexing since."""
        with self._recording:
            with self._index.read() as reader:
                is_left_over = reader.parked() == "cancelled" and self._recorded is None
            if is_left_over:
                self._index.unpark()

    def look_for_order(self) -> None:
        """Follow what another process recorded: a pause, a cancel or a resume."""
        with self._recording:
            if self._unrecorded is not None:
                return  # What was ordered here is to take the place of what is recorded.
            with self._index.read() as reader:
                order = reader.parked()
            if order == self._recorded:
                return
            self._obey(order)
        # A pause is told with the next status: at a start nothing has been counted yet.
        if order is None:
            self._told()

    def _record(self, order: Order | None) -> None:
        """Have an order, or a resume, hold here and, as soon as may be, in every process."""
        try:
            if order is None:
                self._index.unpark()
            held = None if order is None else self._index.park(order)
            self._unrecorded = None
        except IndexUnusable as error:
            held = order
            self._unrecorded = _Unrecorded(order, str(error), time.monotonic())
        # Once more: an older order that was heard meanwhile may have taken its place.
        self._obey(held)

    def _obey(self, order: Order | None) -> None:
        """Have the order that every process sees hold here, in the place of any before it."""
        self._recorded = order
        self._become(lambda halts: halts.ordered(order))

    def _become(self, changed: Callable[[Halts], Halts]) -> None:
        with self._changing:
            before, self._halts = self._halts, changed(self._halts)
            new = self._halts.without(before)
            if new.park_backlog:
                self._backlog.halt()
                self._pdfs.halt()
            if new.park_reading:
                self._backlog.halt_saves()
                self._pdfs.halt_texts()
            if not self._halts.park_backlog:
                self._backlog.retry()

    def _told(self) -> None:
        self._report.halted(self.halts, scan_due=lambda: self._inbox.scan_due)
        self._report.noticed()
        self._inbox.wake()
