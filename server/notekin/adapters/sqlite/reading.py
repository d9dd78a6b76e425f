"""Plain reads of an index; the lanes of a search are in `search`."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from notekin.adapters.sqlite.connect import Database
from notekin.adapters.sqlite.model import load_model
from notekin.adapters.sqlite.search import Lanes
from notekin.adapters.sqlite.values import (
    NOTE_COLUMNS,
    PASSAGE_COLUMNS,
    Row,
    from_key,
    from_text,
    stored_note,
    stored_passage,
    to_key,
)
from notekin.app.ports import Counts, ModelInfo, StoredNote, StoredPassage


def read_counts(connection: Database) -> Counts:
    """Return how far the index is, from the counters that triggers keep; notes that failed
    are no part of `n_notes`.
    """
    rows = dict(connection.rows("SELECT name, value FROM counters"))
    return Counts(rows["notes"] - rows["failed"], rows["failed"], rows["passages"], rows["pending"])


class SqliteReader(Lanes):
    """The `IndexReader` port: reads from the snapshot of its connection's transaction."""

    def passages(self, ids: Collection[int]) -> Mapping[int, StoredPassage]:
        sql = f"""SELECT {PASSAGE_COLUMNS} FROM chunks c JOIN notes n ON n.id = c.note
                  WHERE c.id = ?"""
        rows = self._rows_each(sql, ids)
        return {row[0]: stored_passage(row) for row in rows}

    def passages_of(self, path: str) -> Sequence[StoredPassage]:
        sql = f"""SELECT {PASSAGE_COLUMNS} FROM notes n JOIN chunks c ON c.note = n.id
                  WHERE n.path = ? ORDER BY c.ordinal"""
        return [stored_passage(row) for row in self._rows(sql, (to_key(path),))]

    def note(self, path: str) -> StoredNote | None:
        sql = f"SELECT {NOTE_COLUMNS} FROM notes WHERE path = ?"
        rows = self._rows(sql, (to_key(path),))
        return stored_note(rows[0]) if rows else None

    def notes(self) -> Mapping[str, StoredNote]:
        rows = self._rows(f"SELECT {NOTE_COLUMNS} FROM notes ORDER BY path")
        notes = map(stored_note, rows)
        return {note.path: note for note in notes}

    def links_of(self, path: str) -> Sequence[str]:
        sql = """SELECT l.target FROM notes n JOIN links l ON l.note = n.id
                 WHERE n.path = ? ORDER BY l.ordinal"""
        return [from_text(target) for (target,) in self._rows(sql, (to_key(path),))]

    def counts(self) -> Counts:
        self._check()
        return read_counts(self._db)

    def failures(self, limit: int) -> Sequence[tuple[str, str]]:
        sql = "SELECT path, reason FROM notes WHERE reason <> '' ORDER BY path LIMIT ?"
        rows = self._rows(sql, (max(0, limit),))
        return [(from_key(path), from_text(reason)) for path, reason in rows]

    def model(self) -> ModelInfo | None:
        self._check()
        stored = load_model(self._db)
        return stored.info if stored else None

    def revision(self) -> int:
        return self._rows("SELECT value FROM counters WHERE name = 'revision'")[0][0]

    def _rows_each(self, sql: str, keys: Collection[int]) -> Iterator[Row]:
        for key in keys:
            yield from self._rows(sql, (key,))
