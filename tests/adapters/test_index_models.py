"""What every `Index` promises of a change of model: the old vectors serve until the end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from notekin.adapters.sqlite.connect import connect_inspector, connect_writer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.ports import Counts, ModelInfo, PlanCounts
from notekin.core.query import Filters
from notekin.core.vectors import Vector, pack
from support.indexing import MODEL, embed_all, embed_by, ids_of, note, unit, vector_by, vector_of

ANY = Filters()

pytestmark = pytest.mark.usefixtures("scan")

OTHERS = [
    evolve(MODEL, fingerprint="f2"),
    evolve(MODEL, probe=unit(1, 1)),
    evolve(MODEL, name="other"),
    ModelInfo("large", 16, 256, "f1", vector_of("probe", 16)),
    ModelInfo("small", 4, 128, "f1", vector_of("probe", 4)),
]
OTHER_IDS = ["fingerprint", "probe", "name", "larger", "smaller"]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SqliteIndex]:
    made = SqliteIndex(tmp_path / "index.sqlite", tmp_path)
    yield made
    made.close()


@pytest.fixture
def writer(index: SqliteIndex) -> Iterator[SqliteWriter]:
    """Yield a writer whose six passages are embedded by `MODEL`; two have the same text."""
    opened = index.writer()
    opened.set_model(MODEL)
    opened.put([note("a", "a1", "same", "a2"), note("b", "b1", "same", "b2")])
    embed_all(opened)
    yield opened
    opened.close()


def served(index: SqliteIndex) -> tuple[ModelInfo | None, set[Vector]]:
    """Return the model served and all vectors that answer."""
    with index.read() as reader:
        model = reader.model()
        ids = [each.id for path in reader.notes() for each in reader.passages_of(path)]
        vectors = {vector for each in reader.vectors(ids).values() for vector in each}
        dim = model.dim if model else 8
        hits = reader.semantic(pack([1.0, *[0.0] * (dim - 1)]), ANY, 50)
        assert {hit.id for hit in hits} == set(reader.vectors(ids))
        assert set(reader.cosines(pack([1.0, *[0.0] * (dim - 1)]), ids)) == {h.id for h in hits}
    return model, vectors


@pytest.mark.parametrize("other", OTHERS, ids=OTHER_IDS)
def test_old_vectors_serve_until_the_last_new_one_is_there(
    index: SqliteIndex, writer: SqliteWriter, other: ModelInfo
) -> None:
    before = served(index)
    ids = ids_of(index, "a")
    writer.set_model(other)
    for n_left in (6, 5, 3, 2, 1):  # two passages have the same text
        assert writer.counts().n_passages_pending == n_left
        assert served(index) == before
        with index.read() as reader:
            assert reader.building() == other
            assert reader.counts() == writer.counts()
        assert index.check(repair=False) == []
        assert embed_by(writer, other, 1) == 1
    assert writer.counts() == Counts(2, 0, 6, 0)
    model, vectors = served(index)
    assert model == other
    assert vectors == {vector_by(other)(text) for text in ("a1", "a2", "b1", "b2", "same")}
    assert ids_of(index, "a") == ids
    with index.read() as reader:
        assert reader.building() is None
        assert len(reader.lexical(["same"], ANY, 9)) == 2
    assert index.check(repair=False) == []
    db = connect_inspector(index.path)
    assert db.value("SELECT count(*) FROM vectors") == 6
    assert db.value("SELECT count(*) FROM models") == 1
    assert db.value("SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%USING vec0(%'") == 1
    db.close()


@pytest.mark.parametrize("other", OTHERS, ids=OTHER_IDS)
@pytest.mark.parametrize("n_built", [0, 3])
def test_going_back_before_the_end_embeds_nothing(
    index: SqliteIndex, writer: SqliteWriter, other: ModelInfo, n_built: int
) -> None:
    before = served(index)
    writer.set_model(other)
    embed_by(writer, other, n_built)
    writer.set_model(MODEL)
    assert writer.counts().n_passages_pending == 0
    assert writer.pending([], 9) == []
    assert served(index) == before
    with index.read() as reader:
        assert reader.building() is None
    assert index.check(repair=False) == []
    # What was built is gone: nothing of it may come back as a vector of yet another model.
    writer.set_model(other)
    assert embed_by(writer, other) == 5


def test_the_change_survives_a_crash_in_the_middle(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    other, before = OTHERS[0], served(index)
    writer.set_model(other)
    embed_by(writer, other, 2)
    # Nothing is closed: the process is gone.
    again = SqliteIndex(index.path, index.path.parent)
    successor = again.writer()
    assert successor.counts().n_passages_pending == 3
    assert served(again) == before
    successor.set_model(other)
    assert served(again) == before
    assert embed_by(successor, other) == 3
    assert served(again)[0] == other
    successor.close()
    again.close()
    assert index.check(repair=False) == []


def test_the_change_survives_a_crash_and_can_be_taken_back(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    before = served(index)
    writer.set_model(OTHERS[3])
    embed_by(writer, OTHERS[3], 2)
    again = SqliteIndex(index.path, index.path.parent)
    successor = again.writer()
    successor.set_model(MODEL)
    assert successor.pending([], 9) == []
    assert served(again) == before
    successor.close()
    again.close()


def test_a_third_model_takes_the_place_of_the_one_being_built(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    before = served(index)
    for other in OTHERS:
        writer.set_model(other)
        assert embed_by(writer, other, 2) == 2
        assert served(index) == before
        assert index.check(repair=False) == []
    writer.set_model(MODEL)
    assert writer.pending([], 9) == []


def test_passages_that_change_meanwhile(index: SqliteIndex, writer: SqliteWriter) -> None:
    other = OTHERS[0]
    new = vector_by(other)
    writer.set_model(other)
    embed_by(writer, other, 1)
    assert writer.put([note("a", "a1", "fresh")]) == [PlanCounts(n_kept=1, n_new=1, n_deleted=2)]
    writer.delete(["b"])
    _, vectors = served(index)
    assert vectors == {vector_of("a1")}  # the new passage has no vector of the old model
    assert index.check(repair=False) == []
    writer.put([note("c", "same", "b1")])
    assert embed_by(writer, other) == 3
    model, vectors = served(index)
    assert model == other
    assert vectors == {new(text) for text in ("a1", "fresh", "same", "b1")}
    assert index.check(repair=False) == []


def test_going_back_embeds_only_what_changed_meanwhile(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    other = OTHERS[0]
    writer.set_model(other)
    embed_by(writer, other, 2)
    writer.delete(["b"])
    writer.put([note("moved", "b1", "same", "b2"), note("a", "a1", "fresh", "same")])
    writer.set_model(MODEL)
    assert [each.embedded for each in writer.pending([], 9)] == ["fresh"]
    assert writer.counts().n_passages_pending == 1
    embed_all(writer)
    texts = ("a1", "fresh", "same", "b1", "b2")
    assert served(index) == (MODEL, {vector_of(text) for text in texts})
    assert index.check(repair=False) == []


def test_a_cached_vector_of_one_model_never_serves_another(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    other = OTHERS[0]
    writer.delete(["b"])  # its vectors are in the cache, and those of `MODEL`
    writer.set_model(other)
    assert embed_by(writer, other, 1) == 1
    assert writer.put([note("b", "b1", "b2")]) == [PlanCounts(n_new=2)]
    assert embed_by(writer, other) == 4
    assert served(index)[1] == {vector_by(other)(text) for text in ("a1", "a2", "same", "b1", "b2")}
    writer.delete(["b"])
    writer.set_model(MODEL)
    assert writer.put([note("b", "b1", "b2")]) == [PlanCounts(n_new=2)]
    assert len(writer.pending([], 9)) == 5


@pytest.mark.parametrize("leave", [[], ["a", "b"]], ids=["cleared", "deleted"])
def test_the_new_model_serves_when_no_passage_is_left(
    index: SqliteIndex, writer: SqliteWriter, leave: list[str]
) -> None:
    writer.set_model(OTHERS[4])
    if leave:
        writer.delete(leave)
    else:
        writer.clear()
    assert served(index) == (OTHERS[4], set())
    assert index.check(repair=False) == []


def test_deleting_the_last_passage_that_waits_ends_the_change(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    other = OTHERS[0]
    writer.set_model(other)
    waiting = writer.pending(["a"], 3)
    writer.put_vectors({each.hash: [vector_by(other)(each.embedded)] for each in waiting})
    assert served(index)[0] == MODEL
    writer.delete(["b"])
    assert served(index)[0] == other


def test_a_model_without_any_vector_gives_way_at_once(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "index.sqlite", tmp_path)
    writer = index.writer()
    assert served(index) == (None, set())
    writer.put([note("a", "one", "two")])
    for model in (MODEL, *OTHERS):
        writer.set_model(model)
        with index.read() as reader:
            assert (reader.model(), reader.building()) == (model, None)
    embed_by(writer, OTHERS[-1], 1)
    assert len(served(index)[1]) == 1  # found by meaning from the first vector on
    writer.close()
    index.close()


def test_the_same_model_described_anew_keeps_its_vectors(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    almost = evolve(MODEL, probe=pack([1.0, 0.001, *[0.0] * 6]), window=512)
    _, before = served(index)
    writer.set_model(almost)
    assert served(index) == (almost, before)
    writer.set_model(OTHERS[0])
    embed_by(writer, OTHERS[0], 2)
    writer.set_model(evolve(OTHERS[0], window=512))
    assert writer.counts().n_passages_pending < 6
    with index.read() as reader:
        assert reader.building() == evolve(OTHERS[0], window=512)


BOTH = {
    "vectors have no row": "DELETE FROM vec_{table} WHERE rowid = 1",
    "free slots have no row": "INSERT INTO free_slots VALUES({table}, 99)",
    "neither free nor in use": "INSERT INTO vec_{table}(rowid, embedding) VALUES(77, zeroblob(32))",
    "cached vectors have the wrong length": (
        "INSERT INTO vector_cache VALUES({table}, x'01', 1, x'00')"
    ),
    "n_free of 1 models": "UPDATE models SET n_free = 9 WHERE id = {table}",
    "table of the vectors is missing": "DROP TABLE vec_{table}",
}


@pytest.mark.parametrize("table", [1, 2], ids=["served", "built"])
@pytest.mark.parametrize(("sentence", "sql"), BOTH.items(), ids=list(BOTH))
def test_doctor_looks_after_both_models(
    index: SqliteIndex, writer: SqliteWriter, sentence: str, sql: str, table: int
) -> None:
    other = OTHERS[0]
    writer.set_model(other)
    embed_by(writer, other, 2)
    db = connect_writer(index.path)
    db.run(sql.format(table=table))
    db.close()
    found = [finding.sentence for finding in index.check(repair=False)]
    assert any(sentence in each for each in found), found
    assert all(finding.repaired for finding in index.check(repair=True))
    assert index.check(repair=False) == []
    writer.set_model(other)
    embed_by(writer, other)
    texts = ("a1", "a2", "b1", "b2", "same")
    assert served(index) == (other, {vector_by(other)(text) for text in texts})
    assert index.check(repair=False) == []


def test_a_model_that_is_loaded_again_changes_nothing(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    for model in (MODEL, OTHERS[2]):
        writer.set_model(model)
        with index.read() as reader:
            revision = reader.revision()
        writer.set_model(model)
        with index.read() as reader:
            assert reader.revision() == revision
