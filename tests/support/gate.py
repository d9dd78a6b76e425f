"""A gate at which a thread waits until a test opens it."""

import threading

PATIENCE_SECONDS = 20.0


class Gate:
    """Stops whoever calls `pass_through` once `n_free` have passed, until `open`."""

    def __init__(self, n_free: int = 0) -> None:
        self._changed = threading.Condition()
        self._n_free = n_free
        self._n_passed = 0
        self._waiting = False
        self._is_open = False

    def pass_through(self, *_given: object) -> None:
        """Go on, or wait for the gate to open."""
        with self._changed:
            self._waiting = self._n_passed >= self._n_free
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: self._is_open or self._n_passed < self._n_free, PATIENCE_SECONDS
            )
            self._waiting = False
            self._n_passed += 1

    def wait_until_reached(self) -> None:
        """Wait until somebody stands at the closed gate."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._waiting, PATIENCE_SECONDS)

    def let_pass(self, n_more: int) -> None:
        """Let so many more pass."""
        with self._changed:
            self._n_free += n_more
            self._changed.notify_all()

    def open(self) -> None:
        """Let everybody pass from now on."""
        with self._changed:
            self._is_open = True
            self._changed.notify_all()
