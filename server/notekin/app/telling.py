"""Who listens to the status of all vaults, and what was told last."""

import threading
from collections.abc import Callable

from notekin.app.results import VaultStatus

Listener = Callable[[tuple[VaultStatus, ...]], None]


class Teller:
    """Tells each status once, and in order, whichever threads notice that it changed.

    `look` returns the status of each vault as of now; `notices` are sentences that are told
    beside it, so that another one is news, too. Listeners must not wait for other threads.
    """

    def __init__(
        self,
        look: Callable[[], tuple[VaultStatus, ...]],
        notices: Callable[[], tuple[str, ...]],
    ) -> None:
        self._look = look
        self._notices = notices
        self._listeners: tuple[Listener, ...] = ()
        # The thread that looks tells before the next one looks; a listener may look again.
        self._telling = threading.RLock()
        self._told: object = None

    def listen(self, listener: Listener) -> None:
        """Call `listener` with whatever is news from now on, on the thread where it happens."""
        self._listeners = (*self._listeners, listener)

    def close(self) -> None:
        """Tell nobody any more."""
        self._listeners = ()

    def tell(self) -> None:
        """Tell how things stand, unless that was told; when it returns, it was."""
        with self._telling:
            statuses = self._look()
            news = statuses, self._notices()
            if news == self._told:
                return
            self._told = news
            for listener in self._listeners:
                listener(statuses)
