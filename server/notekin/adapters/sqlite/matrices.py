"""Which matrix of vectors answers a request: never one that differs from its snapshot.

Triggers stamp each block of slots that changes, in the transaction that changes it. A reader
compares the last stamp of its snapshot with that of the matrix held here; what changed since is
read again, and what cannot be had at once is left to vec0. So a matrix is as fresh as the file,
whichever process wrote to it.
"""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from notekin.adapters.inodes import FileId
from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.migrations import SLOTS_A_BLOCK
from notekin.adapters.sqlite.model import StoredModel
from notekin.adapters.sqlite.snapshot import Snapshot

if TYPE_CHECKING:
    from notekin.adapters.sqlite.matrix import Block, Matrix

# So many changed blocks are read in a request, some milliseconds each; more in the background.
N_AT_ONCE = 3


@frozen
class _Source:
    """Which vectors a matrix holds: those of one model, in one file that lies at a path."""

    file: FileId
    born: str
    model: StoredModel


class Matrices:
    """The matrix of one index, for all its readers. Thread-safe.

    `fill` calls `Matrices.fill` inside a read transaction of its own; it runs on a thread made
    here, and ends early once `close` was called.
    """

    def __init__(self, fill: Callable[[], None]) -> None:
        self._fill = fill
        self._lock = threading.Lock()
        self._held: tuple[_Source, Matrix] | None = None
        self._filling: threading.Thread | None = None
        self._closed = False

    def current(self, db: Database, snapshot: Snapshot, model: StoredModel) -> "Matrix | None":
        """Return all vectors of a model in the snapshot of `db`; None where vec0 is quicker."""
        source, stamp = _seen(db, snapshot, model)
        matrix = self._of(source)
        if matrix is not None and matrix.stamp >= stamp:
            # A newer one was read by a request whose snapshot is newer, too.
            return matrix if matrix.stamp == stamp else None
        stale = _stale(db, model, matrix)
        if self._closed or not stamp:
            return None
        if len(stale) > N_AT_ONCE:
            self._fill_beside()
            return None
        return self._renew(db, source, stamp, matrix, stale)

    def fill(self, db: Database, snapshot: Snapshot, model: StoredModel) -> None:
        """Read all that is missing, however long it takes."""
        source, stamp = _seen(db, snapshot, model)
        matrix = self._of(source)
        if matrix is None or matrix.stamp < stamp:
            self._renew(db, source, stamp, matrix, _stale(db, model, matrix))

    def wait(self) -> None:
        """Wait until nothing is read in the background."""
        with self._lock:
            filling = self._filling
        if filling is not None:
            filling.join()

    def close(self) -> None:
        """Start nothing more, and let go of the vectors."""
        with self._lock:
            self._closed, self._held = True, None
        self.wait()

    def _of(self, source: _Source) -> "Matrix | None":
        held = self._held
        return held[1] if held is not None and held[0] == source else None

    def _renew(
        self, db: Database, source: _Source, stamp: int, old: "Matrix | None", stale: list[int]
    ) -> "Matrix":
        # Late: numpy comes with the first vectors.
        from notekin.adapters.sqlite.matrix import Matrix

        renewed = (old or Matrix(0, source.model.info.dim)).renewed(
            stamp, {number: _read(db, source.model, number) for number in stale}
        )
        with self._lock:
            held = self._held
            newer = held is not None and held[0] == source and held[1].stamp >= stamp
            if not newer and not self._closed:
                self._held = source, renewed
        return renewed

    def _fill_beside(self) -> None:
        with self._lock:
            busy = self._filling is not None and self._filling.is_alive()
            if busy or self._closed:
                return
            self._filling = threading.Thread(target=self._fill, name="notekin-vectors", daemon=True)
            self._filling.start()


def _seen(db: Database, snapshot: Snapshot, model: StoredModel) -> tuple[_Source, int]:
    """Return whose vectors a snapshot holds, and the last stamp of it."""
    stamp = db.value("SELECT ifnull(max(stamp), 0) FROM vector_blocks")
    return _Source(snapshot.file, snapshot.born, model), stamp


def _stale(db: Database, model: StoredModel, matrix: "Matrix | None") -> list[int]:
    """Return the blocks that changed since a matrix was read."""
    since = matrix.stamp if matrix is not None else 0
    sql = "SELECT block FROM vector_blocks WHERE stamp > ? AND model = ?"
    return [number for (number,) in db.rows(sql, (since, model.id))]


def _read(db: Database, model: StoredModel, number: int) -> "Block":
    from notekin.adapters.sqlite.matrix import block_of

    first = number * SLOTS_A_BLOCK
    sql = f"""SELECT v.slot - ?1, v.chunk, e.embedding
              FROM vectors v CROSS JOIN {model.table} e ON e.rowid = v.slot
              WHERE v.model = ?2 AND v.slot >= ?1 AND v.slot < ?3"""
    return block_of(db.rows(sql, (first, model.id, first + SLOTS_A_BLOCK)), model.info.dim)
