"""Connections to an index file, and SQLite's errors as the project's own."""

import errno
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import apsw

from notekin.adapters.sqlite.values import Row
from notekin.app.cancel import CancelToken
from notekin.app.errors import Cancelled, IndexUnusable
from notekin.app.results import Reason

# Long enough to outlast another process's longest transaction (a batch of notes, a rebuild of
# the vector table), short enough that a person who waits is told what is wrong.
BUSY_TIMEOUT_MS = 10_000

_WAL_BYTES = 16 * 1024 * 1024

# What a search reads of a vault of some thousand passages stays in memory; with the usual 2 MB,
# twenty pages a search were read again. Only what was read takes room.
_READER_CACHE_KIB = 8 * 1024

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}
_IO_WRITE = {
    apsw.SQLITE_IOERR_WRITE,
    apsw.SQLITE_IOERR_TRUNCATE,
    apsw.SQLITE_IOERR_FSYNC,
    apsw.SQLITE_IOERR_DIR_FSYNC,
    apsw.SQLITE_IOERR_SHMSIZE,
}


@cache
def _vec0() -> str:
    """Return where sqlite-vec's extension lies; importing its package would load numpy."""
    spec = find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("sqlite-vec is not installed; install Notekin again.")
    return str(Path(spec.submodule_search_locations[0]) / "vec0")


class Database:
    """One connection, with typed rows; used by one thread at a time."""

    def __init__(self, path: Path, flags: int) -> None:
        # apsw's stubs leave the types of values open, so what comes out of a row is `Any`.
        self._raw: Any = apsw.Connection(str(path), flags=flags)
        try:
            self._raw.set_busy_timeout(BUSY_TIMEOUT_MS)
            self._raw.enable_load_extension(True)  # noqa: FBT003 -- taken by position only
            self._raw.load_extension(_vec0())
            self._raw.enable_load_extension(False)  # noqa: FBT003
        except BaseException:
            self._raw.close()
            raise

    @property
    def in_transaction(self) -> bool:
        return self._raw.in_transaction

    def run(self, sql: str, parameters: Sequence[object] = ()) -> None:
        """Run statements to their end; only a single one may have parameters."""
        for _ in self._raw.execute(sql, tuple(parameters) or None):
            pass

    def many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once a row."""
        self._raw.executemany(sql, rows)

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Return all rows; text that is no UTF-8 means that the file is damaged."""
        try:
            return self._raw.execute(sql, tuple(parameters) or None).fetchall()
        except UnicodeDecodeError as error:
            raise apsw.CorruptError(f"a text is not valid UTF-8: {error}") from error

    def value(self, sql: str, parameters: Sequence[object] = ()) -> Any:
        """Return the one value of the first row."""
        return self.rows(sql, parameters)[0][0]

    def wait_for_others(self, milliseconds: int) -> None:
        """Set how long a statement waits for what another connection holds."""
        self._raw.set_busy_timeout(milliseconds)

    def interrupt(self) -> None:
        """End the query that runs; from any thread."""
        self._raw.interrupt()

    def close(self) -> None:
        """Close; a query still running in another thread makes it fail."""
        self._raw.close()


def connect_writer(path: Path) -> Database:
    """Open the file for writing and create it where it is missing."""
    is_new = not path.exists() or not path.stat().st_size
    return _prepared(
        Database(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE),
        # Vectors lie in large blobs, which are read page by page: with the usual 4 KiB a
        # semantic query takes half as long again. Only a new file takes it.
        *(["PRAGMA page_size = 16384"] if is_new else []),
        # It lets a shrunken vault give its room back. Only a new file takes it, and only there
        # it is asked for, because it waits for the write lock.
        *(["PRAGMA auto_vacuum = INCREMENTAL"] if is_new else []),
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = NORMAL",
        "PRAGMA foreign_keys = ON",
        "PRAGMA temp_store = MEMORY",
        # After a large transaction the WAL would keep its size for good.
        f"PRAGMA journal_size_limit = {_WAL_BYTES}",
    )


def connect_reader(path: Path) -> Database:
    """Open the existing file for reading.

    The connection may write to the shared memory of the WAL, which a read-only one could not
    create, and is kept from writing to tables by `query_only`.
    """
    return _prepared(
        Database(path, apsw.SQLITE_OPEN_READWRITE),
        "PRAGMA query_only = ON",
        f"PRAGMA cache_size = -{_READER_CACHE_KIB}",
    )


def connect_inspector(path: Path) -> Database:
    """Open an existing file, which may be anybody's, without changing anything in it."""
    return Database(path, apsw.SQLITE_OPEN_READONLY)


def _prepared(database: Database, *pragmas: str) -> Database:
    try:
        for pragma in pragmas:
            database.run(pragma)
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def translated(
    path: Path,
    token: CancelToken | None = None,
    on_damage: Callable[[], None] | None = None,
) -> Generator[None]:
    """Raise `IndexUnusable` or `Cancelled` in place of SQLite's errors.

    `on_damage` is called when the error means that the file itself is broken. An error that
    only our own mistake can cause (a closed connection, two threads on one) stays as it is.
    """
    try:
        yield
    except apsw.Error as error:
        if token is not None and token.cancelled:
            # An interrupted vec0 raises SQLError, so the token is asked, not the error's class.
            raise Cancelled("The request was cancelled.") from error
        unusable = as_unusable(error, path)
        if unusable is None:
            raise
        if unusable.reason == "damaged" and on_damage is not None:
            on_damage()
        raise unusable from error


def as_unusable(error: Exception, path: Path) -> IndexUnusable | None:
    """Return `error` as a reason and a sentence that says what to do, None for other errors."""
    reason = _reason(error)
    if reason is None:
        return None
    sentence = _A_FOLDER if path.is_dir() else _SENTENCES[reason]
    # Without the number and the path that Python puts around what the system says.
    told = error.strerror if isinstance(error, OSError) and error.strerror else error
    return IndexUnusable(sentence.format(path=path, error=told), reason)


def is_damage(error: Exception) -> bool:
    """Whether `error` means that the file itself is broken."""
    return _reason(error) == "damaged"


_A_FOLDER = "{path} is a folder where an index should be; name a file, or move the folder away."
_SENTENCES = {
    "busy": "The index {path} is held by another program; close it or try again in a moment.",
    "noSpace": "The disk that holds the index {path} is full; free some space and try again.",
    "readOnly": (
        "The index {path} cannot be opened for writing ({error}); make its folder writable, "
        "or set NOTEKIN_DATA_DIR to a folder that is."
    ),
    "damaged": (
        "The index {path} is damaged ({error}); it is derived from your notes, so run "
        "`notekin doctor --repair` or index the folder again."
    ),
}


# Statements are fixed, so one that fails met tables other than those it was written for.
_DAMAGE = (
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.FormatError,
    apsw.SQLError,
    apsw.ConstraintError,
    apsw.MismatchError,
)


def _reason(error: Exception) -> Reason | None:
    # SQLite gives up with a protocol error when readers race for the WAL again and again.
    if isinstance(error, (apsw.BusyError, apsw.LockedError, apsw.ProtocolError)):
        return "busy"
    if isinstance(error, apsw.FullError):
        return "noSpace"
    if isinstance(error, apsw.IOError):
        return "noSpace" if getattr(error, "extendedresult", 0) in _IO_WRITE else "damaged"
    if isinstance(error, (apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError)):
        return "readOnly"
    if isinstance(error, OSError):
        return "noSpace" if error.errno in _NO_SPACE else "readOnly"
    return "damaged" if isinstance(error, _DAMAGE) else None
