"""Status for the client: at most four messages a second, always the last one, none twice but for
an `idle`, which ends every piece of work, also one that changed nothing.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from notekin.app.results import VaultStatus

Statuses = Sequence[VaultStatus]

_WINDOW = 1.05  # seconds; a little more than one, as messages do not travel evenly
_N_IN_WINDOW = 4
_GAP = 0.25  # seconds between two messages about work that goes on
_PATIENCE = 0.1  # seconds that work may take without being mentioned: most saves are done by then
_SETTLED = frozenset({"idle", "paused", "failed"})


def settled(status: VaultStatus) -> bool:
    """Return whether no work goes on in the vault."""
    return status.phase in _SETTLED


class StatusFeed:
    """Takes every change from any thread, and sends what the client needs to know."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        write: Callable[[Statuses], Any],
        send: Callable[[Any], None],
        watch: Callable[[Statuses], None],
    ) -> None:
        """`write` makes a message of statuses, `send` sends it, `watch` sees every change;
        all are called on the loop.
        """
        self._loop = loop
        self._write = write
        self._send = send
        self._watch = watch
        # The newest status, and the vaults at work since an end was told: they change as one.
        self._changing = threading.Lock()
        self._latest: Statuses = ()
        self._worked: set[Path] = set()
        self._arriving = False
        self._timer: asyncio.TimerHandle | None = None
        self._unsent_since: float | None = None
        self._sent_at: deque[float] = deque(maxlen=_N_IN_WINDOW)
        self._last_message: Any = None
        self._closed = False

    def changed(self, statuses: Statuses) -> None:
        """Take the newest status; cheap, from any thread, however often."""
        with self._changing:
            self._latest = statuses
            self._worked.update(each.folder for each in statuses if not settled(each))
        if self._arriving:
            return  # The call that is on its way will see it.
        self._arriving = True
        try:
            self._loop.call_soon_threadsafe(self._arrived)
        except RuntimeError:
            return  # The loop is closed: the process is ending.

    def close(self) -> None:
        """Send nothing more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()

    def _arrived(self) -> None:
        self._arriving = False  # Before reading: a change from now on calls again.
        if self._closed:
            return
        self._watch(self._latest)
        if self._unsent_since is None:
            self._unsent_since = self._loop.time()
        self._schedule()

    def _schedule(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._due()
        if due <= self._loop.time():
            self._flush()
        else:
            self._timer = self._loop.call_at(due, self._schedule)

    def _due(self) -> float:
        """Return when the newest status is to be sent, on the loop's clock."""
        full = len(self._sent_at) == _N_IN_WINDOW
        free = self._sent_at[0] + _WINDOW if full else 0.0
        if all(settled(status) for status in self._latest):
            return free
        spaced = self._sent_at[-1] + _GAP if self._sent_at else 0.0
        return max(free, spaced, (self._unsent_since or 0.0) + _PATIENCE)

    def _flush(self) -> None:
        self._unsent_since = None
        with self._changing:
            latest = self._latest
            ended = [each for each in latest if settled(each) and each.folder in self._worked]
            self._worked.difference_update(each.folder for each in ended)
        message = self._write(latest)
        if message == self._last_message and all(each.phase != "idle" for each in ended):
            return
        self._last_message = message
        self._sent_at.append(self._loop.time())
        self._send(message)
