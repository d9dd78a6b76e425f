"""The writer's side of one model's vectors: slots of vec0, found by hash, reused, and the cache.

vec0 never reuses the place of a deleted row, so rows are never deleted: a slot that is free
holds the parked vector, which is farther from every unit vector than any unit vector is, and
is overwritten when a passage needs a slot.
"""

from collections.abc import Callable, Collection, Sequence

from attrs import evolve

from notekin.adapters.sqlite.cache import VectorCache
from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.model import StoredModel, create_table, describe_model
from notekin.adapters.sqlite.values import Row
from notekin.core.vectors import Vector, pack

# Two unit vectors are at most 2 apart; one of this length is at least 7 from both.
PARKED_LENGTH = 8.0

# The table is rebuilt when it passes 1.5 times what its rows need; below one chunk of vec0 (1,024
# rows are allocated at once) that would change nothing.
_FREE_SHARE = 0.5
_FREE_LEAST = 1024


class Slots:
    """Vectors of passages. All calls belong into one transaction of the writer."""

    def __init__(
        self, connection: Database, clock: Callable[[], float], model: StoredModel
    ) -> None:
        self._db = connection
        self._cache = VectorCache(connection, clock, model.id)
        self._freed: list[int] = []
        self.model = model

    @property
    def n_vectors(self) -> int:
        """How many vectors passages have of this model."""
        return self._count("n_vectors")

    def knows(self, hash_: bytes) -> bool:
        """Return whether a hash has vectors, in a slot or in the cache."""
        sql = """SELECT EXISTS(SELECT 1 FROM vectors WHERE hash = ?1 AND model = ?2)
                 OR EXISTS(SELECT 1 FROM vector_cache WHERE hash = ?1 AND model = ?2)"""
        return bool(self._db.value(sql, (hash_, self.model.id)))

    def find(self, hash_: bytes) -> Sequence[Vector]:
        """Return the vectors of a hash; those of the cache are taken out of it."""
        sql = "SELECT chunk FROM vectors WHERE hash = ? AND model = ? LIMIT 1"
        for (chunk,) in self._db.rows(sql, (hash_, self.model.id)):
            return self._vectors(chunk)
        return self._split(self._cache.take(hash_))

    def give(self, chunk: int, hash_: bytes, vectors: Sequence[Vector]) -> None:
        """Store the vectors of a passage that has none."""
        self._check(vectors)
        model = self.model
        for part, vector in enumerate(vectors):
            slot, reused = self._free_slot()
            if reused:
                sql = f"UPDATE {model.table} SET embedding = ?2 WHERE rowid = ?1"
            else:
                sql = f"INSERT INTO {model.table}(rowid, embedding) VALUES(?1, ?2)"
            self._db.run(sql, (slot, vector))
            values = (model.id, slot, chunk, part, hash_)
            self._db.run("INSERT INTO vectors VALUES(?, ?, ?, ?, ?)", values)

    def keep(self, hash_: bytes, vectors: Sequence[Vector]) -> None:
        """Put vectors that no passage waits for into the cache."""
        self._check(vectors)
        self._cache.put(hash_, b"".join(vectors))

    def release(self, chunks: Collection[int]) -> None:
        """Take the vectors of passages that go away into the cache and free their slots."""
        for chunk in chunks:
            rows: list[Row] = self._db.rows(
                "SELECT slot, hash FROM vectors WHERE chunk = ? AND model = ? ORDER BY part",
                (chunk, self.model.id),
            )
            if rows:
                self._cache.put(rows[0][1], b"".join(self._vectors(chunk)))
                sql = "DELETE FROM vectors WHERE chunk = ? AND model = ?"
                self._db.run(sql, (chunk, self.model.id))
                self._freed += [slot for slot, _ in rows]

    def settle(self) -> None:
        """Bring slots and cache into their bounds; the last step of a transaction."""
        n_live, n_free = self.n_vectors, self._count("n_free") + len(self._freed)
        if n_free > _FREE_SHARE * n_live + _FREE_LEAST:
            self._freed.clear()
            self.rebuild()
        else:
            self._park()
        self._cache.bound(n_live, self.model.vector_size)

    def age(self) -> None:
        """Drop what nobody asked of the cache for long."""
        self._cache.age(self.n_vectors)

    def rebuild(self) -> None:
        """Copy the live vectors into a new table, without holes between their slots.

        The n-th slot in order becomes n, which is never above the old one, so that renumbering
        in order meets no slot still in use.
        """
        id_, old = self.model.id, self.model.table
        new = create_table(self._db, self.model.info.dim)
        self._db.run(f"""
            CREATE TEMP TABLE moved(old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
            INSERT INTO moved
                SELECT slot, row_number() OVER (ORDER BY slot) FROM vectors WHERE model = {id_};
            INSERT INTO {new}(rowid, embedding)
                SELECT m.new, e.embedding FROM moved m JOIN {old} e ON e.rowid = m.old;
            UPDATE vectors SET slot = (SELECT new FROM moved WHERE old = slot)
                WHERE model = {id_};
            DROP TABLE moved;
            DROP TABLE {old};
            DELETE FROM free_slots WHERE model = {id_};
        """)
        self._moved_to(new)

    def restart(self) -> None:
        """Begin with an empty table where the old one is lost."""
        self._freed.clear()
        for table in ("vectors", "free_slots"):
            self._db.run(f"DELETE FROM {table} WHERE model = ?", (self.model.id,))
        self._moved_to(create_table(self._db, self.model.info.dim))

    def _moved_to(self, table: str) -> None:
        self.model = evolve(self.model, table=table)
        describe_model(self._db, self.model)

    def _park(self) -> None:
        if self._freed:
            parked = pack([PARKED_LENGTH, *[0.0] * (self.model.info.dim - 1)])
            self._db.many(
                f"UPDATE {self.model.table} SET embedding = ? WHERE rowid = ?",
                ((parked, slot) for slot in self._freed),
            )
            rows = ((self.model.id, slot) for slot in self._freed)
            self._db.many("INSERT INTO free_slots VALUES(?, ?)", rows)
            self._freed.clear()

    def _free_slot(self) -> tuple[int, bool]:
        """Return a slot and whether it stands in the table already."""
        if self._freed:
            return self._freed.pop(), True
        id_ = self.model.id
        sql = """DELETE FROM free_slots WHERE model = ?1 AND slot =
                 (SELECT min(slot) FROM free_slots WHERE model = ?1) RETURNING slot"""
        for (slot,) in self._db.rows(sql, (id_,)):
            return slot, True
        # Every slot is live, free or freed, and the last two are used up.
        sql = "SELECT ifnull(max(slot), 0) + 1 FROM vectors WHERE model = ?"
        return self._db.value(sql, (id_,)), False

    def _vectors(self, chunk: int) -> list[Vector]:
        sql = f"""SELECT e.embedding FROM vectors v JOIN {self.model.table} e ON e.rowid = v.slot
                  WHERE v.chunk = ? AND v.model = ? ORDER BY v.part"""
        return [vector for (vector,) in self._db.rows(sql, (chunk, self.model.id))]

    def _split(self, joined: bytes) -> Sequence[Vector]:
        size = self.model.vector_size
        return [joined[at : at + size] for at in range(0, len(joined), size)]

    def _check(self, vectors: Sequence[Vector]) -> None:
        size, sizes = self.model.vector_size, {len(vector) for vector in vectors}
        if sizes != {size}:
            raise ValueError(f"vectors of {size} bytes are held, not of {sizes}")

    def _count(self, column: str) -> int:
        return self._db.value(f"SELECT {column} FROM models WHERE id = ?", (self.model.id,))
