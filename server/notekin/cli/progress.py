"""Shows on stderr how far an index is: a bar on a terminal, a few lines anywhere else."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal, Protocol, TextIO

from notekin.app.cancel import CancelToken
from notekin.app.results import VaultStatus
from notekin.cli.engine import Session

_STEP_SECONDS = 0.2
_WORDS = {
    "starting": "Starting",
    "scanning": "Looking at the files",
    "indexing": "Reading notes",
    "embedding": "Embedding passages",
}


class Progress(Protocol):
    """Something that is told the state again and again."""

    def show(self, status: VaultStatus) -> None: ...


class Lines:
    """A line at each tenth of each phase."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._said: set[tuple[str, int]] = set()

    def show(self, status: VaultStatus) -> None:
        done, total = amount(status)
        tenth = done * 10 // total if total else 0
        if status.phase not in _WORDS or (status.phase, tenth) in self._said:
            return
        self._said.add((status.phase, tenth))
        count = f": {done:,} of {total:,}" if total else ""
        self._stream.write(f"{phase_in_words(status)}{count}\n")
        self._stream.flush()


def phase_in_words(status: VaultStatus) -> str:
    """Return what is being done, for a person."""
    return _WORDS.get(status.phase, status.phase)


def amount(status: VaultStatus) -> tuple[int, int]:
    """Return how many notes or passages are done, and of how many."""
    if status.phase == "indexing":
        return status.notes.n_total - status.notes.n_pending, status.notes.n_total
    if status.phase == "embedding":
        return status.chunks.n_embedded, status.chunks.n_total
    return 0, 0


@contextmanager
def reporting() -> Generator[Progress]:
    """Yield what fits stderr; a bar is wiped at the end."""
    if not sys.stderr.isatty():
        yield Lines(sys.stderr)
        return
    from notekin.cli.bar import bar

    with bar() as shown:
        yield shown


def wait(
    session: Session, until: Literal["words", "idle"], seconds: float | None, token: CancelToken
) -> bool:
    """Wait as `Session.wait` does, and show progress once that takes longer than a moment."""
    if session.wait(until, _STEP_SECONDS, token):
        return True
    n_steps = None if seconds is None else round(seconds / _STEP_SECONDS) - 1
    with reporting() as progress:
        while n_steps is None or n_steps > 0:
            for status in session.status():
                progress.show(status)
            if session.wait(until, _STEP_SECONDS, token):
                return True
            n_steps = None if n_steps is None else n_steps - 1
    return False
