"""A server process with a fake session, for what only a process can show.

`python -m support.lsp_process [noisy|stubborn|struck]`: `noisy` prints to stdout, from Python and
past it; `stubborn` has a session that never closes; `struck` is told to end after a search, by a
signal that meets another thread than the loop's.
"""

import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from notekin.app.results import SearchResult
from notekin.app.searching import Asked
from notekin.core.buffer import Buffer
from notekin.lsp.server import serve
from support.fake_session import FakeSession


class NoisySession(FakeSession):
    """Prints like a careless library."""

    def search(self, asked: Asked, buffers: Mapping[Path, Buffer]) -> SearchResult:
        print("from Python", flush=True)
        os.write(1, b"from C\n")
        return super().search(asked, buffers)


class StubbornSession(FakeSession):
    """Never closes, and one search never ends."""

    def search(self, asked: Asked, buffers: Mapping[Path, Buffer]) -> SearchResult:
        if asked.request.query == "for ever":
            threading.Event().wait()
        return super().search(asked, buffers)

    def close(self) -> None:
        threading.Event().wait()


class StruckSession(FakeSession):
    """The system may give a signal to any thread, or to the loop's just before that sleeps: either
    way nothing but the signal itself is there to wake the loop.
    """

    def search(self, asked: Asked, buffers: Mapping[Path, Buffer]) -> SearchResult:
        # Late enough for the loop to sleep again.
        threading.Timer(0.3, signal.raise_signal, (signal.SIGTERM,)).start()
        return super().search(asked, buffers)


SESSIONS = {"noisy": NoisySession, "stubborn": StubbornSession, "struck": StruckSession}


def make(_options: object) -> FakeSession:
    """Return the session that the command line names."""
    return SESSIONS.get("".join(sys.argv[1:2]), FakeSession)()


if __name__ == "__main__":
    sys.exit(serve(make))
