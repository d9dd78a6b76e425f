"""What processes on one index tell each other: paths to look at, and the indexer's state."""

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from notekin.adapters.inodes import FileId, file_id
from notekin.adapters.sqlite.connect import Database, translated
from notekin.adapters.sqlite.search import listed
from notekin.adapters.sqlite.values import from_key, to_key
from notekin.app.ports import Dirty

# A follower tries again, and until then goes on telling what the indexer does.
_FOLLOWER_BUSY_MS = 250

_STATE = "status"


class Notice:
    """Tells when somebody else wrote to a connection's file, and whether it lies in its place."""

    def __init__(self, connection: Database, path: Path) -> None:
        self._db = connection
        self._path = path
        self._file: FileId | None = file_id(path)
        self._version: int | None = None

    def noticed(self) -> bool:
        version = self._db.value("PRAGMA data_version")
        before, self._version = self._version, version
        return version != before

    def in_place(self) -> bool:
        return self._file is not None and file_id(self._path) == self._file


def dirty_after(connection: Database, after: int) -> Sequence[Dirty]:
    """Return the rows with ids above `after`."""
    rows = connection.rows("SELECT id, path, forced FROM dirty WHERE id > ? ORDER BY id", (after,))
    return [Dirty(id_, from_key(path), bool(forced)) for id_, path, forced in rows]


def remove_dirty(connection: Database, ids: Collection[int]) -> None:
    """Remove rows by their ids."""
    connection.run("DELETE FROM dirty WHERE id IN (SELECT value FROM json_each(?))", (listed(ids),))


def put_state(connection: Database, state: str) -> None:
    """Keep what followers are to read of the indexer."""
    connection.run("INSERT OR REPLACE INTO meta VALUES(?, ?)", (_STATE, state))


def state_of(connection: Database) -> str:
    """Return what the indexer shared last, "" when it never did."""
    rows = connection.rows("SELECT value FROM meta WHERE key = ?", (_STATE,))
    return rows[0][0] if rows else ""


class SqliteFollower:
    """The `IndexFollower` port."""

    def __init__(self, connection: Database, path: Path) -> None:
        self._db = connection
        self._path = path
        self._notice = Notice(connection, path)
        connection.wait_for_others(_FOLLOWER_BUSY_MS)

    def noticed(self) -> bool:
        with translated(self._path):
            return self._notice.noticed()

    def in_place(self) -> bool:
        return self._notice.in_place()

    def pass_on(self, looks: Mapping[str, bool]) -> Sequence[int]:
        sql = "INSERT INTO dirty(path, forced) VALUES(?, ?) RETURNING id"
        with self._transaction():
            return [self._db.value(sql, (to_key(path), forced)) for path, forced in looks.items()]

    def waiting(self, ids: Collection[int]) -> Collection[int]:
        sql = "SELECT id FROM dirty WHERE id IN (SELECT value FROM json_each(?))"
        with translated(self._path):
            return [id_ for (id_,) in self._db.rows(sql, (listed(ids),))]

    def shared(self) -> str:
        with translated(self._path):
            return state_of(self._db)

    def close(self) -> None:
        with translated(self._path):
            self._db.close()

    @contextmanager
    def _transaction(self) -> Generator[None]:
        with translated(self._path):
            self._db.run("BEGIN IMMEDIATE")
            try:
                yield
                self._db.run("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.run("ROLLBACK")
                raise
