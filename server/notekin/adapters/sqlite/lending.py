"""Vectors by the hash of what was embedded, read for another index."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from notekin.adapters.sqlite.aside import inspect
from notekin.adapters.sqlite.connect import Database, connect_reader, translated
from notekin.adapters.sqlite.migrations import SCHEMA_VERSION, schema_version
from notekin.adapters.sqlite.model import StoredModel, is_same, load_models
from notekin.app.ports import ModelInfo
from notekin.core.vectors import Vector


def lent(
    connection: Database, hashes: Collection[bytes], model: ModelInfo
) -> Mapping[bytes, Sequence[Vector]]:
    """Return those of `hashes` that have vectors of `model`, of passages or in the cache."""
    models = load_models(connection)
    for stored in (models.served, models.building):
        if stored is not None and is_same(stored.info, model):
            found = ((each, _vectors(connection, stored, each)) for each in hashes)
            return {hash_: vectors for hash_, vectors in found if vectors}
    return {}


def _vectors(connection: Database, model: StoredModel, hash_: bytes) -> Sequence[Vector]:
    sql = f"""SELECT e.embedding FROM vectors v JOIN {model.table} e ON e.rowid = v.slot
              WHERE v.model = ?1 AND v.chunk =
                (SELECT chunk FROM vectors WHERE hash = ?2 AND model = ?1 LIMIT 1)
              ORDER BY v.part"""
    if rows := connection.rows(sql, (model.id, hash_)):
        return [vector for (vector,) in rows]
    sql = "SELECT vectors FROM vector_cache WHERE model = ? AND hash = ?"
    size = model.vector_size
    return [
        joined[at : at + size]
        for (joined,) in connection.rows(sql, (model.id, hash_))
        for at in range(0, len(joined), size)
    ]


@frozen
class ClosedIndex:
    """The `VectorShelf` port for the index of a vault that is not open here, as it was at one
    time.

    The file is opened for one question at a time, so that it can be moved or forgotten meanwhile.
    """

    path: Path
    mtime_ns: int

    @classmethod
    def all_in(cls, folder: Path, suffix: str) -> "Iterator[ClosedIndex]":
        """Yield the indexes in a folder as they are now."""
        for path in sorted(folder.glob(f"*{suffix}")):
            with suppress(FileNotFoundError):
                yield cls(path, path.stat().st_mtime_ns)

    def lend(self, hashes: Collection[bytes], model: ModelInfo) -> Mapping[bytes, Sequence[Vector]]:
        with translated(self.path):
            if not self.path.exists() or inspect(self.path) is not None:
                return {}
            connection = connect_reader(self.path)
            try:
                # An older file is not brought up to date by who only asks.
                current = schema_version(connection) == SCHEMA_VERSION
                return lent(connection, hashes, model) if current else {}
            finally:
                connection.close()
