"""The vectors in memory are those of the file, whoever changed it and whenever."""

import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from attrs import evolve

from notekin.adapters.sqlite import matrices, migrations
from notekin.adapters.sqlite.connect import connect_reader, connect_writer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.reading import SqliteReader
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.core.query import Filters
from support.indexing import MODEL, embed_all, embed_by, note, unit, vector_of
from support.old_schema import age

ANY = Filters()


def asked(reader: SqliteReader) -> Mapping[int, float]:
    """Return all passages by their cosine, the nearest first."""
    model = reader.model()
    assert model is not None
    found = reader.semantic(vector_of("query", model.dim), ANY, 9999)
    return {each.id: each.score for each in found}


def nothing(*_: object) -> None:
    """Stand in for a call that needs a newer schema."""


def agree(index: SqliteIndex) -> int:
    """Compare what memory and vec0 answer; return how many passages that are."""
    without = SqliteIndex(index.path, index.path.parent)
    without.close()
    with index.read() as reader, without.read() as other:
        found, expected = asked(reader), asked(other)
        assert reader.matrix is not None
        assert other.matrix is None
    assert found == pytest.approx(expected, abs=3e-5)
    # Neighbours closer than the rounding may change places, no others.
    assert list(found.values()) == pytest.approx(list(expected.values()), abs=3e-5)
    return len(found)


def test_every_change_is_seen_by_the_next_question(
    index: SqliteIndex, writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("notekin.adapters.sqlite.slots._FREE_LEAST", 20)  # tables are rebuilt
    other = SqliteIndex(index.path, tmp_path)  # as another process has it
    chance = random.Random(5)  # noqa: S311 -- no secret
    writer.put([note("first", "text")])
    embed_all(writer)
    models = [evolve(MODEL, fingerprint=f"f{n}", dim=8 - 4 * (n % 2)) for n in range(4)]
    models = [evolve(model, probe=vector_of("probe", model.dim)) for model in models]
    wanted = MODEL
    for step in range(300):
        kind = chance.random()
        path = f"{chance.randrange(12)}"
        if kind < 0.5:
            texts = (f"{chance.randrange(60)}" for _ in range(chance.randrange(1, 40)))
            writer.put([note(path, *texts)])
        elif kind < 0.6:
            writer.delete([path])
        elif kind < 0.65:
            wanted = chance.choice([MODEL, *models])
            writer.set_model(wanted)
        embed_by(writer, wanted, chance.randrange(200))
        agree(index)
        if not step % 5:
            agree(other)
    assert index.check(repair=False) == []
    other.close()


def test_many_changes_are_read_beside_and_vec0_answers_meanwhile(
    index: SqliteIndex, writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrices, "N_AT_ONCE", 0)
    writer.put([note("a", "1", "2", "3")])
    embed_all(writer)
    with index.read() as reader:
        assert reader.matrix is None
        assert len(reader.semantic(unit(1), ANY, 9)) == 3
    index.matrices.wait()
    agree(index)
    writer.put([note("b", "4")])
    embed_all(writer)
    with index.read() as reader:
        assert reader.matrix is None
        assert len(reader.semantic(unit(1), ANY, 9)) == 4
    index.matrices.wait()
    agree(index)


def test_a_snapshot_older_than_the_matrix_is_answered_as_it_is(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("a", "1")])
    embed_all(writer)
    with index.read() as old:
        old.counts()
        writer.put([note("b", "2")])
        embed_all(writer)
        agree(index)
        assert old.matrix is None
        assert len(old.semantic(unit(1), ANY, 9)) == 1
    agree(index)


def filled(index: SqliteIndex, *texts: str) -> None:
    writer = index.writer()
    writer.set_model(MODEL)
    writer.put([note("a", *texts)])
    embed_all(writer)
    writer.close()


def test_another_file_in_its_place_has_its_own_vectors(index: SqliteIndex, tmp_path: Path) -> None:
    filled(index, "1", "2")
    agree(index)
    second = SqliteIndex(tmp_path / "second", tmp_path)
    filled(second, "3", "4", "5")
    second.close()
    db = connect_writer(index.path)
    db.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    (tmp_path / "second").replace(index.path)
    assert agree(index) == 3


def test_a_repair_is_seen(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note("a", "1", "2", "3")])
    embed_all(writer)
    agree(index)
    db = connect_writer(index.path)
    db.run("UPDATE vec_1 SET embedding = ? WHERE rowid = 2", (b"\0" * 32,))
    db.close()
    assert index.check(repair=True)
    assert agree(index) == 2


def test_an_index_of_a_schema_without_stamps_gets_them(tmp_path: Path) -> None:
    path = tmp_path / "old"
    index = SqliteIndex(path, tmp_path)
    writer = index.writer()
    writer.set_model(MODEL)
    writer.put([note("a", *(str(n) for n in range(2 * migrations.SLOTS_A_BLOCK)))])
    embed_all(writer)
    writer.close()
    index.close()
    age(path, 2)
    index = SqliteIndex(path, tmp_path)
    agree(index)
    assert index.check(repair=False) == []
    index.close()
    db = connect_reader(path)
    assert db.value("SELECT count(*) FROM vector_blocks") == 3
    db.close()


def test_closing_ends_what_is_read_beside(
    index: SqliteIndex, writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrices, "N_AT_ONCE", 0)
    writer.put([note(f"{n}", *(f"{n} {part}" for part in range(20))) for n in range(100)])
    embed_all(writer)
    with index.read() as reader:
        reader.semantic(unit(1), ANY, 9)
    index.close()
    with index.read() as reader:
        assert len(reader.semantic(unit(1), ANY, 9)) == 9
        assert reader.matrix is None
