"""Vectors by the hash of what was embedded, read for another index."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from attrs import frozen

from notekin.adapters.sqlite.aside import inspect
from notekin.adapters.sqlite.connect import Database, connect_reader, translated
from notekin.adapters.sqlite.migrations import SCHEMA_VERSION, schema_version
from notekin.adapters.sqlite.model import StoredModel, is_same, load_models
from notekin.adapters.sqlite.values import n_marks
from notekin.app.ports import ModelInfo
from notekin.core.vectors import Vector

# SQLite takes a limited number of parameters.
_N_ASKED: Final = 500


def lent(
    connection: Database, hashes: Collection[bytes], model: ModelInfo
) -> Mapping[bytes, Sequence[Vector]]:
    """Return those of `hashes` that have vectors of `model`, of passages or in the cache."""
    models = load_models(connection)
    for stored in (models.served, models.building):
        if stored is not None and is_same(stored.info, model):
            held = _held(connection, stored, list(hashes))
            found = ((each, _vectors(connection, stored, each)) for each in held)
            # What another process takes away between the two questions has none any more.
            return {hash_: vectors for hash_, vectors in found if vectors}
    return {}


def _held(connection: Database, model: StoredModel, hashes: Sequence[bytes]) -> Iterator[bytes]:
    """Yield those of `hashes` that have vectors. Most indexes have none of most that they are
    asked of, and a question for each takes much longer than one for all.
    """
    for start in range(0, len(hashes), _N_ASKED):
        some = hashes[start : start + _N_ASKED]
        marks = n_marks(some)
        sql = f"""SELECT hash FROM vectors WHERE model = ? AND hash IN ({marks})
                  UNION SELECT hash FROM vector_cache WHERE model = ? AND hash IN ({marks})"""
        for (hash_,) in connection.rows(sql, (model.id, *some, model.id, *some)):
            yield hash_


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
    mtimes_ns: tuple[int, ...]

    @classmethod
    def all_in(cls, folder: Path, suffix: str) -> "Iterator[ClosedIndex]":
        """Yield the indexes in a folder as they are now."""
        for path in sorted(folder.glob(f"*{suffix}")):
            with suppress(FileNotFoundError):
                yield cls(path, (path.stat().st_mtime_ns, *_mtime_of_log(path)))

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


def _mtime_of_log(path: Path) -> Iterator[int]:
    """Yield when a process that has an index open wrote to it last, if there is one."""
    with suppress(FileNotFoundError):
        yield path.with_name(f"{path.name}-wal").stat().st_mtime_ns
