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

from notekin.app.cancel import CancelToken
from notekin.app.requests import SearchRequest
from notekin.app.results import SearchResult
from notekin.core.buffer import Buffer
from notekin.lsp.server import serve
from support.fake_session import FakeSession


class NoisySession(FakeSession):
    """Prints like a careless library."""

    def search(
        self, request: SearchRequest, buffers: Mapping[Path, Buffer], token: CancelToken
    ) -> SearchResult:
        print("from Python", flush=True)
        os.write(1, b"from C\n")
        return super().search(request, buffers, token)


class StubbornSession(FakeSession):
    """Never closes, and one search never ends."""

    def search(
        self, request: SearchRequest, buffers: Mapping[Path, Buffer], token: CancelToken
    ) -> SearchResult:
        if request.query == "for ever":
            threading.Event().wait()
        return super().search(request, buffers, token)

    def close(self) -> None:
        threading.Event().wait()


class StruckSession(FakeSession):
    """The system may give a signal to any thread, or to the loop's just before that sleeps: either
    way nothing but the signal itself is there to wake the loop.
    """

    def search(
        self, request: SearchRequest, buffers: Mapping[Path, Buffer], token: CancelToken
    ) -> SearchResult:
        # Late enough for the loop to sleep again.
        threading.Timer(0.3, signal.raise_signal, (signal.SIGTERM,)).start()
        return super().search(request, buffers, token)


SESSIONS = {"noisy": NoisySession, "stubborn": StubbornSession, "struck": StruckSession}


def make(_options: object) -> FakeSession:
    """Return the session that the command line names."""
    return SESSIONS.get("".join(sys.argv[1:2]), FakeSession)()


if __name__ == "__main__":
    sys.exit(serve(make))
