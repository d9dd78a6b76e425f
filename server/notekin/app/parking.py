"""What parks one vault's work: by whom, in which processes, and until when.

Any thread may call. What holds from now on is known at once; the indexer's thread follows within
one step.
"""

import threading
from collections.abc import Callable
from contextlib import suppress

from notekin.app.backlog import Backlog
from notekin.app.errors import IndexUnusable
from notekin.app.halts import Halt, Halts, Order
from notekin.app.inbox import Inbox
from notekin.app.pdfs import Pdfs
from notekin.app.ports import Index
from notekin.app.reporting import Reporter


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

        Raises `IndexUnusable` when it cannot be recorded; it is in force here all the same.
        """
        self.halt(order)
        with self._recording:
            # Once more: an older order that was heard meanwhile may have taken its place.
            self._obey(self._index.park(order))
        self._told()

    def resume(self) -> None:
        """Go on where any `halt` or `order` stopped, and try again what failed."""
        with self._recording:
            # An index that cannot be used was never parked, and the status says what is wrong.
            with suppress(IndexUnusable):
                self._index.unpark()
                self._recorded = None
            self._become(lambda _: Halts())
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
            with self._index.read() as reader:
                order = reader.parked()
            if order == self._recorded:
                return
            self._obey(order)
        # A pause is told with the next status: at a start nothing has been counted yet.
        if order is None:
            self._told()

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
        self._inbox.wake()
