"""Shows on stderr how far an index is: a bar on a terminal, a few lines anywhere else."""

import math
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Literal, Protocol, TextIO

from notekin.app.cancel import CancelToken
from notekin.app.results import VaultStatus
from notekin.cli.engine import Session
from notekin.cli.output import clean
from notekin.cli.phases import amount, is_reading_layouts, is_working, phase_in_words

_STEP_SECONDS = 0.2


class Progress(Protocol):
    """Something that is told the state again and again."""

    def show(self, status: VaultStatus) -> None: ...


class Lines:
    """A line at each tenth of each phase, and for each PDF."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._said: set[tuple[str, int]] = set()

    def show(self, status: VaultStatus) -> None:
        done, total = amount(status)
        tenth = done * 10 // total if total else 0
        step = (_pdf(status) if is_reading_layouts(status) else status.phase, tenth)
        if not is_working(status) or step in self._said:
            return
        self._said.add(step)
        count = f": {done:,} of {total:,}" if total else ""
        self._stream.write(f"{clean(phase_in_words(status))}{count}\n")
        self._stream.flush()


def _pdf(status: VaultStatus) -> str:
    """Return what is being read, without its page."""
    return status.current.rpartition(" p. ")[0] or status.current


@contextmanager
def reporting() -> Generator[Progress]:
    """Yield what fits stderr; a bar is wiped at the end."""
    if not sys.stderr.isatty():
        yield Lines(sys.stderr)
        return
    from notekin.cli.bar import bar

    with bar() as shown:
        yield shown


Patience = Callable[[VaultStatus], float]
"""How many seconds to wait for a vault that stands there; `math.inf` is for ever."""


def for_ever(_: VaultStatus) -> float:
    """Wait until there is nothing to wait for."""
    return math.inf


def wait(
    session: Session, until: Literal["words", "idle"], patience: Patience, token: CancelToken
) -> bool:
    """Wait as `Session.wait` does, and show progress once that takes longer than a moment."""
    if session.wait(until, _STEP_SECONDS, token):
        return True
    seconds = _STEP_SECONDS
    with reporting() as progress:
        while all(seconds < patience(status) for status in session.status()):
            for status in session.status():
                progress.show(status)
            if session.wait(until, _STEP_SECONDS, token):
                return True
            seconds += _STEP_SECONDS
    return False
