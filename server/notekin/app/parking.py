"""What parks one vault's work: by whom, in which processes, and until when.

Any thread may call. What holds from now on is known at once; the indexer's thread follows within
one step.
"""

import threading
from contextlib import suppress

from notekin.app.backlog import Backlog
from notekin.app.errors import IndexUnusable
from notekin.app.halts import Halt, Halts
from notekin.app.inbox import Inbox
from notekin.app.ports import Index
from notekin.app.reporting import Reporter


class Parking:
    """Holds the reasons, and has everything else go by them."""

    def __init__(self, index: Index, inbox: Inbox, backlog: Backlog, report: Reporter) -> None:
        self._index = index
        self._inbox = inbox
        self._backlog = backlog
        self._report = report
        self._changing = threading.Lock()
        self._halts = Halts()
        # What is known of the pause that every process sees; the lock keeps it and the index one.
        self._recording = threading.Lock()
        self._recorded_pause = False

    def halts(self) -> Halts:
        """Return what is parked now."""
        return self._halts

    def halt(self, halt: Halt) -> None:
        """Park what `Halts` says of this reason until it is lifted, or `resume`."""
        self._park(halt)
        self._told()

    def lift(self, halt: Halt) -> None:
        """Go on with what this reason alone parked."""
        with self._changing:
            self._halts = self._halts.lacking(halt)
        self._go_on()

    def pause(self) -> None:
        """Park as `halt("user")` does, for every process and also after a restart.

        Raises `IndexUnusable` when it cannot be recorded; it is in force here all the same.
        """
        self.halt("user")
        with self._recording:
            self._index.pause()
            self._recorded_pause = True

    def resume(self) -> None:
        """Go on where any `halt` or `pause` stopped, and try again what failed."""
        with self._changing:
            self._halts = Halts()
        # An index that cannot be used was never paused, and the status says what is wrong.
        with self._recording, suppress(IndexUnusable):
            self._index.unpause()
            self._recorded_pause = False
        self._go_on()

    def look_for_pause(self) -> None:
        """Follow a pause or a resume that another process recorded."""
        with self._recording:
            with self._index.read() as reader:
                paused = reader.paused()
            changed, self._recorded_pause = paused != self._recorded_pause, paused
        if changed and paused:
            # Told with the next status: at a start nothing has been counted yet.
            self._park("user")
        elif changed:
            self.lift("user")

    def _park(self, halt: Halt) -> None:
        with self._changing:
            self._halts = self._halts.having(halt)
        self._backlog.halt()
        if self._halts.park_reading:
            self._backlog.halt_saves()

    def _go_on(self) -> None:
        if not self._halts.park_backlog:
            self._backlog.retry()
        self._told()

    def _told(self) -> None:
        self._report.halted(self.halts, scan_due=self._inbox.scan_due)
        self._inbox.wake()
