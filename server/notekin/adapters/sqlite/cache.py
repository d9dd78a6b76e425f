"""Vectors of passages that are gone, so that an undo or a branch switched back costs nothing."""

from collections.abc import Callable

from notekin.adapters.sqlite.connect import Database

# Small vaults may keep this much whatever they hold: some 680 vectors of 384 numbers.
LEAST_BYTES = 1024 * 1024

# Above that the cache may take a quarter of what the live vectors take, so that a vault that
# was edited for months stays near the size of a fresh index …
_SHARE = 0.25

# … or the room that vectors took before many of them went at once (a branch switched, an index
# cleared), for as long: after so many days nobody is coming back.
_MAX_AGE_SECONDS = 30 * 24 * 3600


class VectorCache:
    """One model's vectors by the hash of what was embedded; holds no text."""

    def __init__(self, connection: Database, clock: Callable[[], float], model: int) -> None:
        self._db = connection
        self._clock = clock
        self._model = model

    def put(self, hash_: bytes, vectors: bytes) -> None:
        """Keep the vectors (joined) of a hash."""
        self._db.run(
            """INSERT INTO vector_cache(model, hash, last_used, vectors) VALUES(?, ?, ?, ?)
               ON CONFLICT(model, hash) DO UPDATE SET last_used = excluded.last_used""",
            (self._model, hash_, int(self._clock() * 1000), vectors),
        )

    def take(self, hash_: bytes) -> bytes:
        """Remove and return the vectors (joined) of a hash, b"" when there are none."""
        sql = "DELETE FROM vector_cache WHERE model = ? AND hash = ? RETURNING vectors"
        rows = self._db.rows(sql, (self._model, hash_))
        return rows[0][0] if rows else b""

    def bound(self, n_live: int, vector_size: int) -> None:
        """Drop the longest unused vectors above the cap; `n_live` vectors are in use."""
        sql = "UPDATE models SET n_peak = ?1 WHERE id = ?2 AND n_peak < ?1"
        self._db.run(sql, (n_live, self._model))
        room = vector_size * max(_SHARE * n_live, self._count("n_peak") - n_live)
        cap = max(LEAST_BYTES, int(room))
        while (excess := self._count("n_cached_bytes") - cap) > 0:
            self._db.run(
                """DELETE FROM vector_cache WHERE model = ?1 AND hash IN
                   (SELECT hash FROM vector_cache WHERE model = ?1 ORDER BY last_used LIMIT ?2)""",
                (self._model, 1 + excess // (2 * vector_size)),
            )

    def age(self, n_live: int) -> None:
        """Drop what was not used for long; the peak falls to what is left."""
        oldest = int((self._clock() - _MAX_AGE_SECONDS) * 1000)
        sql = "DELETE FROM vector_cache WHERE model = ? AND last_used < ?"
        self._db.run(sql, (self._model, oldest))
        if not self._count("n_cached_bytes"):
            self._db.run("UPDATE models SET n_peak = ? WHERE id = ?", (n_live, self._model))

    def _count(self, column: str) -> int:
        return self._db.value(f"SELECT {column} FROM models WHERE id = ?", (self._model,))
