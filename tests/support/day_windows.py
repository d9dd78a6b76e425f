"""Windows on a vault: sessions in this process, and in processes that are killed."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from pathlib import Path
from typing import Any, Protocol
from unittest.mock import patch

from notekin.adapters.sqlite.connect import Database
from notekin.app.cancel import CancelToken
from notekin.app.ports import Embedder, Role
from notekin.app.requests import SearchRequest
from notekin.app.results import VaultStatus
from notekin.app.session import Session
from notekin.app.settings import Settings
from notekin.core.vectors import Vector
from support.day_ledger import Ledger
from support.fake_embedder import FakeEmbedder
from support.fake_power import FakePower
from support.vault import session_of

FIRST_MODEL = "m0-32"
# Only what hangs gets here.
PATIENCE_SECONDS = 60.0
RACY_SECONDS = 0.3
_MODEL_PATIENCE_SECONDS = 0.2
# A model that is held embeds so many passages a window before it waits.
_N_FREE_WHILE_HELD = 2


class DayEmbedder(FakeEmbedder):
    """Writes what it embeds into the ledger; waits while there is a file `held` with its name in
    it, but for its first passages, and until `is_leaving`.
    """

    def __init__(self, home: Path, name: str, is_leaving: Callable[[], bool]) -> None:
        super().__init__(name=name, dim=int(name.partition("-")[2]))
        self._ledger = Ledger(home / "ledger")
        self._held = home / "held"
        self._n_free = _N_FREE_WHILE_HELD
        self._is_leaving = is_leaving

    def embed(self, text: str, role: Role) -> Sequence[Vector]:
        if role == "document":
            self._n_free -= 1
            while self._n_free < 0 and self._is_held() and not self._is_leaving():
                threading.Event().wait(0.002)
            self._ledger.embedded(self.info.name, text)
        return super().embed(text, role)

    def _is_held(self) -> bool:
        with suppress(OSError):
            return self._held.read_text("utf-8") == self.info.name
        return False


def day_session(home: Path, power: FakePower | None = None) -> Session:
    """Return a session whose models write into the ledger."""

    def load(settings: Settings) -> Embedder:
        return DayEmbedder(home, settings.model, is_leaving)

    def is_leaving() -> bool:
        return session._parts.embeddings._closing  # pyright: ignore[reportPrivateUsage]

    session = session_of(home, FIRST_MODEL, load, _MODEL_PATIENCE_SECONDS, power)
    return session


@contextmanager
def short_race() -> Generator[None]:
    """Have clocks be finer than they may be, so that nobody waits two seconds for a file."""
    nanoseconds = int(RACY_SECONDS * 1e9)
    with (
        patch("notekin.app.preparing.RACY_NS", nanoseconds),
        patch("notekin.app.intake.RACY_NS", nanoseconds),
    ):
        yield


class Window(Protocol):
    """What a day does with a session, wherever it runs. `close` loses one passage at most."""

    statuses: list[VaultStatus]

    def do(self, call: str, *given: Any, **named: Any) -> Any:
        """Call a method of the session."""
        ...

    def idle(self) -> bool: ...
    def found(self, word: str) -> tuple[str, Sequence[str]]:
        """Return the verdict of a search for a word, and the names of the notes it is in."""
        ...

    def close(self) -> None: ...


class LocalWindow:
    """A session in this process."""

    def __init__(self, home: Path, folders: Sequence[Path], power: FakePower | None) -> None:
        self.statuses: list[VaultStatus] = []
        self.session = day_session(home, power)
        self.session.on_status(self.statuses.extend)
        for folder in folders:
            self.session.open(folder)

    def do(self, call: str, *given: Any, **named: Any) -> Any:
        return getattr(self.session, call)(*given, **named)

    def idle(self) -> bool:
        # Settings that changed are read by a thread of their own.
        self.session._rereading.submit(int).result(PATIENCE_SECONDS)  # pyright: ignore[reportPrivateUsage]
        return self.session.wait("idle", PATIENCE_SECONDS, CancelToken())

    def found(self, word: str) -> tuple[str, Sequence[str]]:
        request = SearchRequest(word, mode="lexical", limit=100)
        result = self.session.search(self.session.ask(request, CancelToken()), {})
        return result.verdict, [hit.path for hit in result.hits]

    def close(self) -> None:
        self.session.close()


class ChildWindow:
    """A session in a process of its own, which may be killed, or die at its `countdown`-th step:
    an SQL statement, or a passage to be embedded.
    """

    def __init__(self, home: Path, folders: Sequence[Path], countdown: int | None = None) -> None:
        self.statuses: list[VaultStatus] = []
        self._pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(home, folders, theirs, countdown))
        self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def do(self, call: str, *given: Any, **named: Any) -> Any:
        return self._ask("do", call, *given, **named)

    def idle(self) -> bool:
        """Also True when the process died."""
        return self._ask("idle") is not False

    def found(self, word: str) -> tuple[str, Sequence[str]]:
        return self._ask("found", word) or ("incomplete", ())

    def close(self) -> None:
        self._ask("close")
        self._end()

    def kill(self) -> None:
        self._process.kill()
        self._end()

    def _end(self) -> None:
        self._process.join(PATIENCE_SECONDS)
        self._pipe.close()
        self._process.close()

    def _ask(self, call: str, *given: Any, **named: Any) -> Any:
        """Return an answer, None from a process that died."""
        try:
            self._pipe.send((call, given, named))
            answer, statuses = self._pipe.recv()
        except (EOFError, OSError):
            return None
        self.statuses += statuses
        return answer


def _context() -> ForkServerContext | SpawnContext:
    """Return what starts processes: from one that has all imported, where there is such a thing."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["support.day_windows", "notekin.compose"])
    return context


_CONTEXT = _context()


def _serve(home: Path, folders: Sequence[Path], pipe: Connection, countdown: int | None) -> None:
    with short_race(), Ledger(home / "ledger").watching(), _dying(countdown):
        window = LocalWindow(home, folders, None)
        while True:
            try:
                call, given, named = pipe.recv()
            except EOFError:  # the test is over
                window.close()
                return
            answer = getattr(window, call)(*given, **named)
            statuses, window.statuses[:] = list(window.statuses), []
            pipe.send((answer, statuses))
            if call == "close":
                return


@contextmanager
def _dying(countdown: int | None) -> Generator[None]:
    """Have this process die as by kill -9, at a moment that a number names."""
    if countdown is None:
        yield
        return
    left = [countdown]

    def counted(method: Callable[..., Any]) -> Callable[..., Any]:
        def count(*given: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return method(*given, **named)

        return count

    with (
        patch.object(Database, "run", counted(Database.run)),
        patch.object(Database, "many", counted(Database.many)),
        patch.object(DayEmbedder, "embed", counted(DayEmbedder.embed)),
    ):
        yield
