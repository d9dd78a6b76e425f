"""What is remembered of a term is what the file says of it, whoever changed it and whenever."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from notekin.adapters.sqlite import recent_terms
from notekin.adapters.sqlite.connect import Database, connect_reader, connect_writer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.search import COLUMN_WEIGHTS, quoted
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.adapters.sqlite.values import Row
from notekin.app.ports import Scored
from notekin.core.query import Filters
from support.indexing import ids_of, note

ANY = Filters()
WORDS = [f"word{n}" for n in range(12)]


def by_fts5(index: SqliteIndex, terms: Sequence[str], limit: int) -> list[Scored]:
    """Return what the text index finds by a query of all terms, with its own sum."""
    connection = connect_reader(index.path)
    sql = """SELECT rowid, -bm25(terms, ?, ?, ?) AS score FROM terms WHERE terms MATCH ?
             ORDER BY score DESC, rowid LIMIT ?"""
    query = " OR ".join(map(quoted, terms))
    rows = connection.rows(sql, (*COLUMN_WEIGHTS, query, limit))
    connection.close()
    return [Scored(id_, score) for id_, score in rows]


@pytest.mark.parametrize("n_kept", [0, 300, 1_000_000])
def test_every_change_is_seen_by_the_next_question(
    index: SqliteIndex, writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch, n_kept: int
) -> None:
    monkeypatch.setattr(recent_terms, "_N_KEPT", n_kept)
    other = SqliteIndex(index.path, Path(index.path.parent))  # as another process has it
    chance = random.Random(7)  # noqa: S311 -- no secret
    writer.put([note("first", "word1")])
    for step in range(120):
        path = f"{chance.randrange(15)}"
        if chance.random() < 0.6:
            texts = (" ".join(chance.choices(WORDS, k=4)) for _ in range(chance.randrange(1, 9)))
            writer.put([note(path, *texts, title=chance.choice(WORDS))])
        elif chance.random() < 0.5:
            writer.delete([path])
        terms = chance.choices(WORDS, k=chance.randrange(1, 6))
        limit = chance.choice([1, 5, 999])
        # To the last bit: what was found first must not change places with being asked again.
        expected = by_fts5(index, terms, limit)
        for asked in (index, other) if step % 4 else (index,):
            with asked.read() as reader:
                assert reader.lexical(terms, ANY, limit) == expected
    other.close()


def test_a_reader_keeps_to_its_snapshot_beside_a_newer_one(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("a", "common")])
    with index.read() as older:
        writer.put([note("b", "common")])
        with index.read() as newer:
            assert len(newer.lexical(["common"], ANY, 9)) == 2
        assert len(older.lexical(["common"], ANY, 9)) == 1
    with index.read() as newest:
        assert len(newest.lexical(["common"], ANY, 9)) == 2


def test_a_term_asked_for_again_is_not_read_again(
    index: SqliteIndex, writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.put([note("a", "common rare"), note("b", "common")])
    with index.read() as reader:
        before = reader.lexical(["common", "rare", "absent"], ANY, 9)
    monkeypatch.setattr("notekin.adapters.sqlite.search.quoted", None)
    with index.read() as reader:
        assert reader.lexical(["common", "rare", "absent"], ANY, 9) == before
        held = reader.holding(ids_of(index, "b"), ["common", "rare", "absent"])
        assert [each.n_passages for each in held.values()] == [2, 1, 0]
        assert [len(each.among) for each in held.values()] == [1, 0, 0]


def test_a_file_put_in_the_place_of_another_is_another_index(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one", "two")]
    for path, text in zip(paths, ("common", "other"), strict=True):
        index = SqliteIndex(path, tmp_path)
        writer = index.writer()
        writer.put([note("a", text)])
        writer.close()
        index.close()
    index = SqliteIndex(paths[0], tmp_path)
    with index.read() as reader:
        assert len(reader.lexical(["common"], ANY, 9)) == 1
    paths[1].replace(paths[0])
    with index.read() as reader:
        assert reader.lexical(["common"], ANY, 9) == []
        assert len(reader.lexical(["other"], ANY, 9)) == 1
    index.close()


def test_what_the_text_index_holds_of_no_passage_is_left_alone(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("a", "common")])
    connection = connect_writer(index.path)
    for id_ in (-5, 2**60):
        connection.run("INSERT INTO terms(rowid, text) VALUES(?, 'common')", (id_,))
    connection.close()
    with index.read() as reader:
        assert [each.id for each in reader.lexical(["common"], ANY, 9)] == ids_of(index, "a")


def test_however_many_hold_a_term_it_is_one_row(
    index: SqliteIndex, writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a busy thread a row takes up to half a millisecond: common words took 0.4 s."""
    writer.put([note(f"a/{n}", "common") for n in range(50)])
    n_rows: list[int] = []
    plain = Database.rows

    def counted(self: Database, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        rows = plain(self, sql, parameters)
        n_rows.append(len(rows))
        return rows

    monkeypatch.setattr(Database, "rows", counted)
    with index.read() as reader:
        assert len(reader.lexical(["common"], Filters(folders=("a",)), 99)) == 50
    assert max(n_rows) == 1


def test_what_is_remembered_has_a_limit(
    index: SqliteIndex, writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent_terms, "_N_KEPT", 1000)
    writer.put([note(f"{n}", f"common word{n}") for n in range(20)])
    remembered = index.recent_terms
    with index.read() as reader:
        for n in range(5000):
            reader.lexical(["common", f"word{n}", f"word{n + 1}"], ANY, 9)
    assert remembered.n_kept <= 1000
