"""A crowd of texts, each held inside of the model until a test lets it go."""

import threading

from support.gate import PATIENCE_SECONDS


class Crowd:
    """Holds the model inside of every text until that is let go; lists those that came."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_open = False
        self._free: set[str] = set()
        self.held: list[str] = []

    def __call__(self, text: str) -> None:
        with self._changed:
            self.held.append(text)
            self._changed.notify_all()
            assert self._changed.wait_for(
                lambda: self._is_open or text in self._free, PATIENCE_SECONDS
            )

    def let_go(self, text: str) -> None:
        with self._changed:
            self._free.add(text)
            self._changed.notify_all()

    def wait_for(self, *texts: str) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: set(texts) <= set(self.held), PATIENCE_SECONDS)

    def open(self) -> None:
        with self._changed:
            self._is_open = True
            self._changed.notify_all()
