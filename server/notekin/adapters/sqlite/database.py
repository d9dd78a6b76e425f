"""One vault's index file: opened when first used, set aside when it cannot serve."""

import threading
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from notekin.adapters.inodes import FileId, file_id, make_private
from notekin.adapters.sqlite.aside import inspect, set_aside
from notekin.adapters.sqlite.connect import Database, as_unusable, connect_writer, translated
from notekin.adapters.sqlite.dirty import SqliteFollower
from notekin.adapters.sqlite.doctor import examine
from notekin.adapters.sqlite.matrices import Matrices
from notekin.adapters.sqlite.migrations import make_new, migrate
from notekin.adapters.sqlite.readers import Readers
from notekin.adapters.sqlite.reading import SqliteReader
from notekin.adapters.sqlite.recent_terms import RecentTerms
from notekin.adapters.sqlite.snapshot import begin_snapshot
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.cancel import CancelToken
from notekin.app.errors import Cancelled, IndexUnusable
from notekin.app.halts import Order
from notekin.app.ports import Finding, ModelInfo
from notekin.core.vectors import Vector


class SqliteIndex:
    """The `Index` port. `versions` name what made the passages and their terms (chunker,
    terms); where one differs from the file's, every note is read again and vectors are kept.

    After an `IndexUnusable` with the reason "damaged", the next `writer()` sets the file aside.
    """

    def __init__(self, path: Path, root: Path, versions: Mapping[str, str] | None = None) -> None:
        self._path = path
        self._root = root
        self._versions = versions or {}
        self._lock = threading.Lock()
        self._readers = Readers(path)
        self._closing = CancelToken()
        self.matrices = Matrices(self._fill_matrix)
        self.recent_terms = RecentTerms()
        self._notice = ""
        self._prepared = False
        self._damaged: FileId | None = None

    @property
    def path(self) -> Path:
        return self._path

    @property
    def notice(self) -> str:
        return self._notice

    def writer(self) -> SqliteWriter:
        try:
            return self._writer()
        except IndexUnusable as error:
            if error.reason != "damaged":
                raise
            # Damage that only the first write meets: by now it is known, and set aside.
            return self._writer()

    def follow(self) -> SqliteFollower:
        return SqliteFollower(self._prepare(), self._path)

    @contextmanager
    def read(self, token: CancelToken | None = None) -> Generator[SqliteReader]:
        with translated(self._path, token, self._found_damage):
            if not self._prepared:
                self._prepare().close()
            lease = self._readers.lease(lambda: self._prepare().close())
            db = lease.database
            try:
                with _interrupted(db, token):
                    snapshot = begin_snapshot(db, lease.file)
                    yield SqliteReader(db, token, snapshot, self.matrices, self.recent_terms)
            finally:
                self._readers.give_back(lease)

    def park(self, order: Order) -> Order:
        outweighed = "OR REPLACE" if order == "user" else "OR IGNORE"
        self._write(f"INSERT {outweighed} INTO meta VALUES('parked', ?)", (order,))
        with self.read() as reader:
            return reader.parked() or order

    def unpark(self) -> None:
        with self.read() as reader:
            parked = reader.parked()
        if parked:
            self._write("DELETE FROM meta WHERE key = 'parked'")

    def lend(self, hashes: Collection[bytes], model: ModelInfo) -> Mapping[bytes, Sequence[Vector]]:
        with self.read() as reader:
            return reader.lend(hashes, model)

    def check(self, *, repair: bool) -> Sequence[Finding]:
        return examine(self._path, self._prepare, self._found_damage, repair=repair)

    def close(self) -> None:
        self._closing.cancel()
        self.matrices.close()
        self._readers.close()

    def _write(self, sql: str, values: Sequence[object] = ()) -> None:
        """Run one statement beside whatever writer there is, here or in another process."""
        with translated(self._path, on_damage=self._found_damage):
            connection = self._prepare()
            try:
                connection.run(sql, values)
            finally:
                connection.close()

    def _fill_matrix(self) -> None:
        # What goes wrong here goes wrong again for the next request, which has someone to tell.
        with suppress(IndexUnusable, Cancelled), self.read(self._closing) as reader:
            reader.fill_matrix()

    def _writer(self) -> SqliteWriter:
        connection = self._prepare()
        try:
            writer = SqliteWriter(connection, self._path, self._found_damage)
            writer.start(self._versions, self._root)
        except BaseException:
            connection.close()
            raise
        return writer

    def _prepare(self) -> Database:
        """Return a writing connection to a sound file of the newest schema."""
        with self._lock, translated(self._path):
            try:
                return self._opened()
            except OSError as error:
                raise as_unusable(error, self._path) or error from error

    def _opened(self) -> Database:
        make_private(self._path.parent)
        seen = file_id(self._path)
        known = seen is not None and seen == self._damaged
        trouble = "damaged" if known else inspect(self._path)
        if trouble is not None and seen is not None:
            self._readers.clear()
            self._notice = set_aside(self._path, trouble, seen) or self._notice
            self._damaged = None
        if not self._path.exists():
            make_new(self._path)
        connection = connect_writer(self._path)
        try:
            migrate(connection)
        except BaseException:
            connection.close()
            raise
        self._prepared = True
        return connection

    def _found_damage(self) -> None:
        with self._lock:
            self._damaged = file_id(self._path)
            self._prepared = False
        self._readers.clear()


@contextmanager
def _interrupted(connection: Database, token: CancelToken | None) -> Generator[None]:
    """Interrupt the connection's query when the token is cancelled."""
    if token is None:
        yield
    else:
        with token.on_cancel(connection.interrupt):
            yield
