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
    """Vectors by the hash of what was embedded; holds no text."""

    def __init__(self, connection: Database, clock: Callable[[], float]) -> None:
        self._db = connection
        self._clock = clock

    def put(self, hash_: bytes, vectors: bytes) -> None:
        """Keep the vectors (joined) of a hash."""
        self._db.run(
            """INSERT INTO vector_cache(hash, last_used, vectors) VALUES(?, ?, ?)
               ON CONFLICT(hash) DO UPDATE SET last_used = excluded.last_used""",
            (hash_, int(self._clock() * 1000), vectors),
        )

    def take(self, hash_: bytes) -> bytes:
        """Remove and return the vectors (joined) of a hash, b"" when there are none."""
        rows = self._db.rows("DELETE FROM vector_cache WHERE hash = ? RETURNING vectors", (hash_,))
        return rows[0][0] if rows else b""

    def bound(self, n_live: int, vector_size: int) -> None:
        """Drop the longest unused vectors above the cap; `n_live` vectors are in use."""
        self._db.run("UPDATE counters SET value = max(value, ?) WHERE name = 'peak'", (n_live,))
        room = vector_size * max(_SHARE * n_live, self._counter("peak") - n_live)
        cap = max(LEAST_BYTES, int(room))
        while (excess := self._counter("cached_bytes") - cap) > 0:
            self._db.run(
                """DELETE FROM vector_cache WHERE hash IN
                   (SELECT hash FROM vector_cache ORDER BY last_used LIMIT ?)""",
                (1 + excess // (2 * vector_size),),
            )

    def age(self, n_live: int) -> None:
        """Drop what was not used for long; the peak falls to what is left."""
        oldest = int((self._clock() - _MAX_AGE_SECONDS) * 1000)
        self._db.run("DELETE FROM vector_cache WHERE last_used < ?", (oldest,))
        if not self._counter("cached_bytes"):
            self._db.run("UPDATE counters SET value = ? WHERE name = 'peak'", (n_live,))

    def _counter(self, name: str) -> int:
        return self._db.value("SELECT value FROM counters WHERE name = ?", (name,))
