"""What a run does when the system asks it to end."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import NoReturn


class Terminated(BaseException):
    """SIGTERM came. As with Ctrl-C, no handler of errors is to catch it on its way."""


@contextmanager
def ending_in_order() -> Generator[None]:
    """Let SIGTERM end the block as Ctrl-C does, so that indexes are closed and the person is
    told.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what a signal does
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(*_: object) -> NoReturn:
    raise Terminated
