"""What the faces told an indexer and it has not served yet. Any thread may call."""

import threading
from collections.abc import Callable, Collection, Mapping
from typing import Literal

from attrs import frozen

from notekin.app.cancel import CancelToken
from notekin.core.rope import Content

Scan = Literal["", "due", "forced"]


@frozen
class Recorded:
    """All that was told up to `ticket`: documents saved with their texts, and paths to look at,
    each with whether it is read again even if it did not change. `fresh` tells that someone may
    wait for the ticket.
    """

    saves: Mapping[str, Content]
    looks: Mapping[str, bool]
    ticket: int
    fresh: bool


@frozen
class ScanOrder:
    """Whether all files are to be compared with the index; `number` tells one order from the
    next.
    """

    due: Scan
    number: int


class Inbox:
    """Collects orders and wakes the one thread that serves them.

    Orders for the same path are one order. `served` tells those who wait for theirs.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._saves: dict[str, Content] = {}
        self._looks: dict[str, bool] = {}
        self._scan: Scan = "due"
        self._n_scans = 0
        self._n_recorded = 0
        self._n_served = 0
        self._woken = False
        self._stopping = False
        self._distrusted = False

    @property
    def stopping(self) -> bool:
        return self._stopping

    @property
    def distrusted(self) -> bool:
        """Whether somebody found the index damaged since the last call of `trust`."""
        return self._distrusted

    @property
    def scan_due(self) -> bool:
        return bool(self._scan)

    @property
    def has_orders(self) -> bool:
        """Whether anything was told that is not served yet."""
        return bool(self._saves or self._looks)

    @property
    def scan(self) -> ScanOrder:
        with self._changed:
            return ScanOrder(self._scan, self._n_scans)

    def scanned(self, order: ScanOrder) -> None:
        """The files were compared, and what differs has gone elsewhere: whoever waits holds a
        ticket for that from now on. An order given in the meantime stays.
        """
        with self._changed:
            if order.number == self._n_scans:
                self._scan = ""
            self._record()

    def saved(self, path: str, content: Content) -> None:
        """Record a saved document."""
        with self._changed:
            self._saves[path] = content
            self._record()

    def look(self, paths: Collection[str], *, forced: bool = False) -> None:
        """Record files or folders to look at; "" is the whole vault."""
        with self._changed:
            for path in paths:
                if path:
                    self._looks[path] = forced or self._looks.get(path, False)
                else:
                    self._scan = "forced" if forced or self._scan == "forced" else "due"
                    self._n_scans += 1
            self._record()

    def take(self) -> Recorded:
        """Return what was recorded since the last time."""
        with self._changed:
            ticket, fresh = self._n_recorded, self._n_recorded > self._n_served
            recorded = Recorded(self._saves, self._looks, ticket, fresh)
            self._saves, self._looks = {}, {}
            return recorded

    def take_scan(self) -> Scan:
        """Return whether all files are to be compared with the index, once."""
        with self._changed:
            scan, self._scan = self._scan, ""
            return scan

    def give_up_scan(self) -> None:
        """Forget a comparison that would only fail once more; one that was ordered with force
        stays: it was given while the last one failed, and takes an empty folder at its word.
        """
        with self._changed:
            if self._scan != "forced":
                self._scan = ""

    def defer(self) -> bool:
        """Give up what waits in favour of a scan, whenever that will be; return whether there
        was anything. A saved text is no news by then: the file may have moved on.
        """
        with self._changed:
            waiting = bool(self._saves or self._looks)
            self._saves.clear()
            self._looks.clear()
            self._scan = self._scan or "due"
            self._n_served = self._n_recorded
            self._changed.notify_all()
            return waiting

    def served(self, ticket: int) -> None:
        """Tell those who wait that everything up to `ticket` is served."""
        with self._changed:
            self._n_served = max(self._n_served, ticket)
            self._changed.notify_all()

    def settled(self, seconds: float) -> bool:
        """Wait until what was recorded before this call is served; False at the time-out."""
        with self._changed:
            ticket = self._n_recorded
            return self._changed.wait_for(
                lambda: self._n_served >= ticket or self._stopping, seconds
            )

    def wait(self, done: Callable[[], bool], seconds: float | None, token: CancelToken) -> bool:
        """Wait until everything is served and `done`; also returns when the token is cancelled."""

        def over() -> bool:
            served = self._n_served >= self._n_recorded
            return token.cancelled or self._stopping or (served and done())

        with token.on_cancel(self.wake), self._changed:
            return self._changed.wait_for(over, seconds)

    def wake(self) -> None:
        """Let the serving thread look around."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def distrust(self) -> None:
        """Have the index opened anew."""
        self._distrusted = True
        self.wake()

    def trust(self) -> None:
        """The index is being opened anew."""
        self._distrusted = False

    def tell(self) -> None:
        """Let those who wait ask again whether they are done."""
        with self._changed:
            self._changed.notify_all()

    def stop(self) -> None:
        """End every wait."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def pause(self, seconds: float | None) -> bool:
        """Wait, on the serving thread, for the next order or call of `wake`; False at the
        time-out.
        """
        with self._changed:
            called = self._changed.wait_for(lambda: self._woken or self._stopping, seconds)
            self._woken = False
            return called

    def _record(self) -> None:
        self._n_recorded += 1
        self._woken = True
        self._changed.notify_all()
