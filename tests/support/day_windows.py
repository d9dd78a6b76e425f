"""Windows on a vault: sessions in this process, and in processes that are killed."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol
from unittest.mock import patch

from attrs import define

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.cancel import CancelToken
from notekin.app.ports import Embedder, MovedNote, NewNote, PlanCounts, Role
from notekin.app.requests import SearchRequest
from notekin.app.results import VaultStatus
from notekin.app.session import Session
from notekin.app.settings import Settings
from notekin.core.text import text_hash
from notekin.core.vectors import Vector
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


@define
class Ledger:
    """What was embedded, in whatever process, and what was not because it had been before: a
    file, to which a process that is killed has written all that it did.
    """

    file: Path

    def embedded(self, model: str, text: str) -> None:
        """Record that a model ran on a passage."""
        self._add(f"e {model} {text_hash(text).hex()}")

    def written(self, model: str, hashes: Collection[bytes]) -> None:
        """Record that the vectors of passages are in an index."""
        for hash_ in hashes:
            self._add(f"w {model} {hash_.hex()}")

    def avoided(self, n_passages: int) -> None:
        """Record that so many passages were stored again whose vectors were there."""
        if n_passages:
            self._add(f"a {n_passages}")

    @property
    def n_avoided(self) -> int:
        return sum(int(line[1]) for line in self._lines() if line[0] == "a")

    @property
    def n_embedded(self) -> int:
        return sum(line[0] == "e" for line in self._lines())

    @property
    def n_lost(self) -> int:
        """How many passages were embedded again because their vectors had not been written."""
        embedded = [tuple(line[1:]) for line in self._lines() if line[0] == "e"]
        return len(embedded) - len(set(embedded))

    @property
    def in_vain(self) -> Sequence[str]:
        """What was embedded although an index had the vectors, or had them once."""
        written: set[tuple[str, ...]] = set()
        in_vain: list[str] = []
        for what, *passage in self._lines():
            if what == "w":
                written.add(tuple(passage))
            elif what == "e" and tuple(passage) in written:
                in_vain.append(" ".join(passage))
        return in_vain

    @contextmanager
    def watching(self) -> Generator[None]:
        """Record what writers in this process avoid."""
        put, move, put_vectors = SqliteWriter.put, SqliteWriter.move, SqliteWriter.put_vectors

        def counted_put(writer: SqliteWriter, notes: Sequence[NewNote]) -> Sequence[PlanCounts]:
            plans = put(writer, notes)
            self.avoided(sum(plan.n_kept + plan.n_reused for plan in plans))
            return plans

        def counted_move(writer: SqliteWriter, notes: Sequence[MovedNote]) -> int:
            self.avoided(sum(len(note.terms) for note in notes))
            return move(writer, notes)

        def noted_vectors(
            writer: SqliteWriter, vectors: Mapping[bytes, Sequence[Vector]]
        ) -> int:
            n_given = put_vectors(writer, vectors)
            model = writer._vectors.asked_of  # pyright: ignore[reportPrivateUsage]
            assert model is not None
            self.written(model.name, vectors.keys())
            return n_given

        with (
            patch.object(SqliteWriter, "put", counted_put),
            patch.object(SqliteWriter, "move", counted_move),
            patch.object(SqliteWriter, "put_vectors", noted_vectors),
        ):
            yield

    def _lines(self) -> list[list[str]]:
        text = self.file.read_text("utf-8") if self.file.exists() else ""
        return [line.split() for line in text.splitlines()]

    def _add(self, line: str) -> None:
        descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(descriptor, f"{line}\n".encode())
        finally:
            os.close(descriptor)


class DayEmbedder(FakeEmbedder):
    """Writes what it embeds into the ledger; waits while there is a file `held`, but for its
    first passages, and until `leaving` is set.
    """

    def __init__(self, home: Path, name: str, leaving: threading.Event) -> None:
        super().__init__(name=name, dim=int(name.partition("-")[2]))
        self._ledger = Ledger(home / "ledger")
        self._held = home / "held"
        self._n_free = _N_FREE_WHILE_HELD
        self._leaving = leaving

    def embed(self, text: str, role: Role) -> Sequence[Vector]:
        if role == "document":
            self._n_free -= 1
            while self._n_free < 0 and self._is_held() and not self._leaving.wait(0.002):
                continue
            self._ledger.embedded(self.info.name, text)
        return super().embed(text, role)

    def _is_held(self) -> bool:
        with suppress(OSError):
            return self._held.read_text("utf-8") == self.info.name
        return False


def day_session(home: Path, leaving: threading.Event, power: FakePower | None = None) -> Session:
    """Return a session whose models write into the ledger."""

    def load(settings: Settings) -> Embedder:
        return DayEmbedder(home, settings.model, leaving)

    return session_of(home, FIRST_MODEL, load, _MODEL_PATIENCE_SECONDS, power)


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
        self._leaving = threading.Event()
        self.session = day_session(home, self._leaving, power)
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
        result = self.session.search(request, {}, CancelToken())
        return result.verdict, [hit.path for hit in result.hits]

    def close(self) -> None:
        self._leaving.set()
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


_CONTEXT = multiprocessing.get_context(
    "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
)
if hasattr(_CONTEXT, "set_forkserver_preload"):
    _CONTEXT.set_forkserver_preload(["support.day_windows", "notekin.compose"])


def _serve(
    home: Path, folders: Sequence[Path], pipe: Connection, countdown: int | None
) -> None:
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
