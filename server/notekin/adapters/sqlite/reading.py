"""Plain reads of an index; the lanes of a search are in `search`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.dirty import state_of
from notekin.adapters.sqlite.lending import lent
from notekin.adapters.sqlite.search import Lanes, listed
from notekin.adapters.sqlite.values import (
    NOTE_COLUMNS,
    PASSAGE_COLUMNS,
    Row,
    from_key,
    from_list,
    from_readable,
    from_text,
    in_folder,
    stored_note,
    stored_passage,
    to_key,
)
from notekin.app.halts import Order
from notekin.app.ports import Counts, ModelInfo, StoredNote, StoredPassage
from notekin.core.vectors import Vector


def read_counts(connection: Database) -> Counts:
    """Return how far the index is, from the counters that triggers keep; notes that failed
    are no part of `n_notes`.
    """
    rows = dict(connection.rows("SELECT name, value FROM counters"))
    return Counts(rows["notes"] - rows["failed"], rows["failed"], rows["passages"], rows["pending"])


_OF_IDS = """json_each(?) j CROSS JOIN chunks c ON c.id = j.value JOIN notes n ON n.id = c.note"""


class SqliteReader(Lanes):
    """The `IndexReader` port: reads from the snapshot of its connection's transaction."""

    def passages(self, ids: Collection[int]) -> Mapping[int, StoredPassage]:
        rows = self._rows(f"SELECT {PASSAGE_COLUMNS} FROM {_OF_IDS}", (listed(ids),))
        return {row[0]: stored_passage(row) for row in rows}

    def passages_of(self, path: str) -> Sequence[StoredPassage]:
        sql = f"""SELECT {PASSAGE_COLUMNS} FROM notes n JOIN chunks c ON c.note = n.id
                  WHERE n.path = ? ORDER BY c.ordinal"""
        return [stored_passage(row) for row in self._rows(sql, (to_key(path),))]

    def note(self, path: str) -> StoredNote | None:
        sql = f"SELECT {NOTE_COLUMNS} FROM notes WHERE path = ?"
        rows = self._rows(sql, (to_key(path),))
        return stored_note(rows[0]) if rows else None

    def notes(self, below: str = "") -> Mapping[str, StoredNote]:
        key = to_key(below)
        low, high = in_folder(key)
        sql = f"""SELECT {NOTE_COLUMNS} FROM notes
                  WHERE path = ? OR (path >= ? AND path < ?) ORDER BY path"""
        return _by_path(self._rows(sql, (key, low, high)))

    def notes_modified_at(self, moments: Collection[int]) -> Mapping[str, StoredNote]:
        sql = f"""SELECT {NOTE_COLUMNS} FROM notes
                  WHERE mtime_ns IN (SELECT value FROM json_each(?)) ORDER BY path"""
        return _by_path(self._rows(sql, (listed(moments),)))

    def links_of(self, path: str) -> Sequence[str]:
        sql = """SELECT l.target FROM notes n JOIN links l ON l.note = n.id
                 WHERE n.path = ? ORDER BY l.ordinal"""
        return [from_text(target) for (target,) in self._rows(sql, (to_key(path),))]

    def counts(self) -> Counts:
        self._check()
        return self._counts

    @cached_property
    def _counts(self) -> Counts:
        """The counts of the snapshot; a request asks for them many times."""
        return read_counts(self._db)

    def failures(self, limit: int) -> Sequence[tuple[str, str]]:
        sql = "SELECT path, reason FROM notes WHERE reason <> '' ORDER BY path LIMIT ?"
        rows = self._rows(sql, (max(0, limit),))
        return [(from_key(path), from_text(reason)) for path, reason in rows]

    def locked(self) -> Collection[str]:
        sql = "SELECT path FROM notes WHERE reason <> '' AND stage = 'locked'"
        return [from_key(path) for (path,) in self._rows(sql)]

    def warnings(self, limit: int) -> Sequence[tuple[str, str]]:
        sql = "SELECT path, warnings FROM notes WHERE warnings <> '[]' ORDER BY path LIMIT ?"
        rows = self._rows(sql, (max(0, limit),))
        return [(from_key(path), " ".join(from_list(warnings))) for path, warnings in rows]

    def readable(self, path: str) -> str | None:
        sql = "SELECT r.text FROM notes n JOIN readables r ON r.note = n.id WHERE n.path = ?"
        rows = self._rows(sql, (to_key(path),))
        return from_readable(rows[0][0]) if rows else None

    def pdfs(self) -> Collection[bytes]:
        sql = "SELECT DISTINCT text_hash FROM notes WHERE kind = 'pdf' AND reason = ''"
        rows = self._rows(sql)
        return {hash_ for (hash_,) in rows}

    def model(self) -> ModelInfo | None:
        served = self.models.served
        return served.info if served else None

    def building(self) -> ModelInfo | None:
        building = self.models.building
        return building.info if building else None

    def lend(self, hashes: Collection[bytes], model: ModelInfo) -> Mapping[bytes, Sequence[Vector]]:
        """Return vectors of `hashes` for another index; see `lending`."""
        self._check()
        return lent(self._db, hashes, model)

    def revision(self) -> int:
        return self._snapshot.revision

    def pdf_settings(self) -> str:
        rows = self._rows("SELECT value FROM meta WHERE key = 'pdf_settings'")
        return rows[0][0] if rows else ""

    def shared(self) -> str:
        return state_of(self._db)

    def parked(self) -> Order | None:
        rows = self._rows("SELECT value FROM meta WHERE key = 'parked'")
        return rows[0][0] if rows else None


def _by_path(rows: Iterable[Row]) -> Mapping[str, StoredNote]:
    notes = map(stored_note, rows)
    return {note.path: note for note in notes}
