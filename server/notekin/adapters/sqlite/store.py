"""Writes to an index: each call one transaction, in which all tables move together."""

import time
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from notekin.adapters.sqlite.connect import Database, translated
from notekin.adapters.sqlite.dirty import Notice, dirty_after, put_state, remove_dirty
from notekin.adapters.sqlite.identity import sign
from notekin.adapters.sqlite.notes import NoteWriter
from notekin.adapters.sqlite.pending import pending_passages
from notekin.adapters.sqlite.reading import read_counts
from notekin.adapters.sqlite.snapshot import count_changes
from notekin.adapters.sqlite.vectors import Vectors
from notekin.app.ports import (
    Counts,
    Dirty,
    FileStat,
    ModelInfo,
    MovedNote,
    NewNote,
    PendingPassage,
    PlanCounts,
    Stage,
    Touched,
)
from notekin.core.note import Kind
from notekin.core.vectors import Vector

# Free pages are handed back to the disk once they are this many and a quarter of the file.
_FREE_PAGES_LEAST = 64
_FREE_PAGES_SHARE = 4


class SqliteWriter:
    """The `IndexWriter` port."""

    def __init__(
        self,
        connection: Database,
        path: Path,
        on_damage: Callable[[], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._db = connection
        self._path = path
        self._on_damage = on_damage
        self._notice = Notice(connection, path)
        with self._translated():
            self._vectors = Vectors(connection, clock)
            self._notes = NoteWriter(connection, self._vectors)

    def start(self, versions: Mapping[str, str], root: Path) -> None:
        """Record whose index this is and age the cache; where the chunker or the terms
        changed, have every note read again.
        """
        with self._transaction(n_changes=0):
            sign(self._db, root)
            self._vectors.age()
            self._notes.adopt(versions)

    def put(self, notes: Sequence[NewNote]) -> Sequence[PlanCounts]:
        with self._transaction():
            return [self._notes.put(note) for note in notes]

    def fail(
        self, path: str, kind: Kind, stat: FileStat, reason: str, stage: Stage = "whole"
    ) -> None:
        with self._transaction():
            self._notes.fail(path, kind, stat, reason, stage)

    def keep_raw(self, path: str, warnings: Sequence[str]) -> None:
        with self._transaction():
            self._notes.keep_raw(path, warnings)

    def touch(self, notes: Sequence[Touched]) -> None:
        with self._transaction(n_changes=0):
            self._notes.touch(notes)

    def move(self, notes: Sequence[MovedNote]) -> int:
        with self._transaction():
            return self._notes.move(notes)

    def delete(self, paths: Collection[str]) -> int:
        # Most paths reported as gone were no notes: nothing changes with them.
        with self._transaction(n_changes=0):
            n_deleted = sum(self._notes.delete(path) for path in paths)
            count_changes(self._db, min(n_deleted, 1))
            return n_deleted

    def pending(self, first: Sequence[str], limit: int) -> Sequence[PendingPassage]:
        while True:
            with self._translated():
                self._vectors.begin()
                found = pending_passages(self._db, first, limit)
                known = self._vectors.known({each.hash for each in found})
            if not known:
                return found
            with self._transaction():
                for hash_ in known:
                    self._embed(hash_, self._vectors.find(hash_))

    def put_vectors(self, vectors: Mapping[bytes, Sequence[Vector]]) -> int:
        with self._transaction():
            return sum(self._embed(hash_, each) for hash_, each in vectors.items())

    def set_model(self, model: ModelInfo) -> None:
        # A model that is loaded once more changes nothing, and nobody is told of a change.
        with self._transaction(n_changes=0):
            if self._vectors.asked_of != model:
                self._vectors.set_model(model)
                count_changes(self._db, 1)

    def serve_built(self) -> bool:
        with self._transaction(n_changes=0):
            built = self._vectors.serve_built()
            count_changes(self._db, int(built))
            return built

    def keep_pdf_settings(self, settings: str) -> None:
        with self._transaction(n_changes=0):
            self._db.run("INSERT OR REPLACE INTO meta VALUES('pdf_settings', ?)", (settings,))

    def clear(self) -> None:
        with self._transaction():
            self._notes.delete("")

    def counts(self) -> Counts:
        with self._translated():
            return read_counts(self._db)

    def noticed(self) -> bool:
        with self._translated():
            return self._notice.noticed()

    def in_place(self) -> bool:
        return self._notice.in_place()

    def dirty(self, after: int) -> Sequence[Dirty]:
        with self._translated():
            return dirty_after(self._db, after)

    def looked_at(self, ids: Collection[int]) -> None:
        with self._transaction(n_changes=0):
            remove_dirty(self._db, ids)

    def share(self, state: str) -> None:
        with self._transaction(n_changes=0):
            put_state(self._db, state)

    def close(self) -> None:
        with self._translated():
            self._db.close()

    def _embed(self, hash_: bytes, vectors: Sequence[Vector]) -> int:
        """Give all passages with this hash that wait their vectors; return how many did."""
        sql = "SELECT id FROM chunks WHERE hash = ? AND embedded = 0"
        chunks = [chunk for (chunk,) in self._db.rows(sql, (hash_,))]
        for chunk in chunks:
            self._vectors.give(chunk, hash_, vectors)
            self._db.run("UPDATE chunks SET embedded = 1 WHERE id = ?", (chunk,))
        if not chunks and not self._vectors.known([hash_]):
            self._vectors.keep(hash_, vectors)
        return len(chunks)

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self._path, on_damage=self._on_damage)

    @contextmanager
    def _transaction(self, n_changes: int = 1) -> Generator[None]:
        """Run a block as one transaction, whose revision is `n_changes` later."""
        with self._translated():
            self._db.run("BEGIN IMMEDIATE")
            try:
                self._vectors.begin()
                self._notes.begin()
                yield
                self._vectors.settle()
                count_changes(self._db, n_changes)
                self._db.run("COMMIT")
            except BaseException:
                # A full disk has SQLite roll back by itself.
                if self._db.in_transaction:
                    self._db.run("ROLLBACK")
                raise
            self._give_back()

    def _give_back(self) -> None:
        n_free = self._db.value("PRAGMA freelist_count")
        n_pages = self._db.value("PRAGMA page_count")
        if n_free > _FREE_PAGES_LEAST and n_free * _FREE_PAGES_SHARE > n_pages:
            self._db.rows(f"PRAGMA incremental_vacuum({n_free})")
