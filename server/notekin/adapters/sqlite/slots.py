"""The writer's side of the vectors: slots of vec0, found by hash, reused, and the cache.

vec0 never reuses the place of a deleted row, so rows are never deleted: a slot that is free
holds the parked vector, which is farther from every unit vector than any unit vector is, and
is overwritten when a passage needs a slot.
"""

from collections.abc import Callable, Collection, Sequence

from notekin.adapters.sqlite.cache import VectorCache
from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.model import (
    StoredModel,
    create_table,
    load_model,
    save_model,
    vector_tables,
)
from notekin.adapters.sqlite.values import Row
from notekin.app.ports import ModelInfo
from notekin.core.vectors import Vector, pack

# Two unit vectors are at most 2 apart; one of this length is at least 7 from both.
PARKED_LENGTH = 8.0

# The table is rebuilt when it passes 1.5 times what its rows need; below one chunk of vec0 (1,024
# rows are allocated at once) that would change nothing.
_FREE_SHARE = 0.5
_FREE_LEAST = 1024


class Slots:
    """Vectors of passages. All calls belong into the writer's transaction."""

    def __init__(self, connection: Database, clock: Callable[[], float]) -> None:
        self._db = connection
        self._cache = VectorCache(connection, clock)
        self._freed: list[int] = []
        self.model = load_model(connection)

    def begin(self) -> None:
        """Forget what a transaction before left behind when it failed."""
        self._freed.clear()
        self.model = load_model(self._db)

    def known(self, hashes: Collection[bytes]) -> set[bytes]:
        """Return those of `hashes` that have vectors, in a slot or in the cache."""
        if self.model is None:
            return set()
        sql = """SELECT EXISTS(SELECT 1 FROM vectors WHERE hash = ?1)
                 OR EXISTS(SELECT 1 FROM vector_cache WHERE hash = ?1)"""
        return {each for each in hashes if self._db.value(sql, (each,))}

    def find(self, hash_: bytes) -> Sequence[Vector]:
        """Return the vectors of a hash; those of the cache are taken out of it."""
        if self.model is None:
            return ()
        for (chunk,) in self._db.rows("SELECT chunk FROM vectors WHERE hash = ? LIMIT 1", (hash_,)):
            return self._vectors(chunk)
        return self._split(self._cache.take(hash_))

    def give(self, chunk: int, hash_: bytes, vectors: Sequence[Vector]) -> None:
        """Store the vectors of a passage that has none."""
        model = self._checked(vectors)
        for part, vector in enumerate(vectors):
            slot, reused = self._free_slot()
            if reused:
                sql = f"UPDATE {model.table} SET embedding = ?2 WHERE rowid = ?1"
            else:
                sql = f"INSERT INTO {model.table}(rowid, embedding) VALUES(?1, ?2)"
            self._db.run(sql, (slot, vector))
            self._db.run("INSERT INTO vectors VALUES(?, ?, ?, ?)", (slot, chunk, part, hash_))

    def keep(self, hash_: bytes, vectors: Sequence[Vector]) -> None:
        """Put vectors that no passage waits for into the cache."""
        self._checked(vectors)
        self._cache.put(hash_, b"".join(vectors))

    def release(self, chunks: Collection[int]) -> None:
        """Take the vectors of passages that go away into the cache and free their slots."""
        for chunk in chunks:
            rows: list[Row] = self._db.rows(
                "SELECT slot, hash FROM vectors WHERE chunk = ? ORDER BY part", (chunk,)
            )
            if rows:
                self._cache.put(rows[0][1], b"".join(self._vectors(chunk)))
                self._db.run("DELETE FROM vectors WHERE chunk = ?", (chunk,))
                self._freed += [slot for slot, _ in rows]

    def settle(self) -> None:
        """Bring slots and cache into their bounds; the last step of a transaction."""
        n_live, n_free = self._count("vectors"), self._count("free") + len(self._freed)
        if self.model is not None and n_free > _FREE_SHARE * n_live + _FREE_LEAST:
            self._freed.clear()
            self.rebuild()
        else:
            self._park()
        if self.model is not None:
            self._cache.bound(n_live, self.model.vector_size)

    def age(self) -> None:
        """Drop what nobody asked of the cache for long."""
        self._cache.age(self._count("vectors"))

    def start_model(self, info: ModelInfo) -> None:
        """Drop all vectors and hold those of another model."""
        self._db.run("DELETE FROM vectors; DELETE FROM free_slots; DELETE FROM vector_cache")
        self._db.run("UPDATE chunks SET embedded = 0 WHERE embedded")
        for table in vector_tables(self._db):
            self._db.run(f"DROP TABLE {table}")
        self.describe(create_table(self._db, info))

    def describe(self, model: StoredModel) -> None:
        """Record the model."""
        save_model(self._db, model)
        self.model = model

    def rebuild(self) -> None:
        """Copy the live vectors into a new table, without holes between their slots.

        The n-th slot in order becomes n, which is never above the old one, so that renumbering
        in order meets no slot still in use.
        """
        if self.model is None:
            return
        old = self.model
        new = create_table(self._db, old.info)
        self._db.run(f"""
            CREATE TEMP TABLE moved(old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
            INSERT INTO moved SELECT slot, row_number() OVER (ORDER BY slot) FROM vectors;
            INSERT INTO {new.table}(rowid, embedding)
                SELECT m.new, e.embedding FROM moved m JOIN {old.table} e ON e.rowid = m.old;
            UPDATE vectors SET slot = (SELECT new FROM moved WHERE old = slot);
            DROP TABLE moved;
            DROP TABLE {old.table};
            DELETE FROM free_slots;
        """)
        self.describe(new)

    def _park(self) -> None:
        if self._freed and self.model is not None:
            parked = pack([PARKED_LENGTH, *[0.0] * (self.model.info.dim - 1)])
            self._db.many(
                f"UPDATE {self.model.table} SET embedding = ? WHERE rowid = ?",
                ((parked, slot) for slot in self._freed),
            )
            self._db.many("INSERT INTO free_slots VALUES(?)", ((s,) for s in self._freed))
            self._freed.clear()

    def _free_slot(self) -> tuple[int, bool]:
        """Return a slot and whether it stands in the table already."""
        if self._freed:
            return self._freed.pop(), True
        sql = (
            "DELETE FROM free_slots WHERE slot = (SELECT min(slot) FROM free_slots) RETURNING slot"
        )
        for (slot,) in self._db.rows(sql):
            return slot, True
        # Every slot is live, free or freed, and the last two are used up.
        return self._db.value("SELECT ifnull(max(slot), 0) + 1 FROM vectors"), False

    def _vectors(self, chunk: int) -> list[Vector]:
        if self.model is None:
            return []
        sql = f"""SELECT e.embedding FROM vectors v JOIN {self.model.table} e ON e.rowid = v.slot
                  WHERE v.chunk = ? ORDER BY v.part"""
        return [vector for (vector,) in self._db.rows(sql, (chunk,))]

    def _split(self, joined: bytes) -> Sequence[Vector]:
        size = self.model.vector_size if self.model else 1
        return [joined[at : at + size] for at in range(0, len(joined), size)]

    def _checked(self, vectors: Sequence[Vector]) -> StoredModel:
        if self.model is None:
            raise ValueError("set_model comes before the first vector")
        sizes = {len(vector) for vector in vectors}
        if sizes != {self.model.vector_size}:
            raise ValueError(f"vectors of {self.model.vector_size} bytes are held, not of {sizes}")
        return self.model

    def _count(self, name: str) -> int:
        return self._db.value("SELECT value FROM counters WHERE name = ?", (name,))
