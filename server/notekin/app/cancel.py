"""A token that stops work in other threads."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from notekin.app.errors import Cancelled


class CancelToken:
    """Cancelled once, from any thread; work asks it, or is told through `on_cancel`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def cancel(self) -> None:
        """Cancel, and call what is registered; a second call does nothing."""
        with self._lock:
            if self._cancelled:
                return
            self._cancelled = True
            # Called under the lock: after `on_cancel` has exited, its callback never runs.
            for callback in self._callbacks:
                callback()

    def check(self) -> None:
        """Raise `Cancelled` when cancelled."""
        if self._cancelled:
            raise Cancelled("The request was cancelled.")

    @contextmanager
    def on_cancel(self, callback: Callable[[], None]) -> Generator[None]:
        """Call `callback` (quick, from any thread) should the token be cancelled meanwhile."""
        with self._lock:
            self.check()
            self._callbacks.append(callback)
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)
