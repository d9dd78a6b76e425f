"""Tables corrupted by hand: doctor names each, changes nothing unless asked, and mends it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notekin.adapters.sqlite.connect import connect_writer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.identity import identity
from notekin.app.errors import IndexUnusable
from notekin.core.query import Filters
from support.indexing import MODEL, note, vector_of

NOTES = [
    note(f"{n}.md", f"first {n}", f"second {n}", tags=["a/b", "c"], links=["x"]) for n in range(6)
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture
def index(path: Path) -> Iterator[SqliteIndex]:
    made = SqliteIndex(path, path.parent)
    writer = made.writer()
    writer.set_model(MODEL)
    writer.put(NOTES)
    waiting = writer.pending(["5.md"], 10)  # two stay without a vector
    writer.put_vectors({each.hash: [vector_of(each.hash)] for each in waiting})
    writer.delete(["5.md"])  # leaves free slots and a cache
    writer.close()
    yield made
    made.close()


CORRUPTIONS = {
    "links belong to no note": "INSERT INTO links VALUES(99, 0, 'x')",
    "tags belong to no note": "INSERT INTO tags VALUES(x'61', 99)",
    "vectors belong to no passage": "UPDATE vectors SET chunk = 99 WHERE slot = 3",
    "passages belong to no note": "UPDATE chunks SET note = 99 WHERE id = 1",
    "rows of the text index belong to no passage": (
        "INSERT INTO terms(rowid, title, headings, text) VALUES(99, 'a', 'b', 'c')"
    ),
    "vectors are those of another text": "UPDATE vectors SET hash = x'00' WHERE slot = 3",
    "passages lack some of their vectors": "UPDATE vectors SET part = 1 WHERE slot = 3",
    "passages are missing in the text index": "DELETE FROM terms WHERE rowid = 1",
    "passages that do not follow one another": "UPDATE chunks SET ordinal = 7 WHERE id = 1",
    "passages do not end after they begin": "UPDATE chunks SET end_line = -1 WHERE id = 1",
    "belong to a note that could not be read": "UPDATE notes SET reason = 'x' WHERE id = 1",
    "other tags than those": "DELETE FROM tags WHERE note = 1 AND tag = x'63'",
    "wrong about whether they have a vector": (
        "UPDATE chunks SET embedded = 1 - embedded WHERE id IN (1, 9)"
    ),
    "wrong about how many of their passages wait": "UPDATE notes SET n_pending = 5 WHERE id = 1",
    "number of passages is recorded": "UPDATE counters SET value = 5 WHERE name = 'passages'",
    "number of pending is recorded": "DELETE FROM counters WHERE name = 'pending'",
    "hold another text than the one embedded": "UPDATE chunks SET text = 'forged' WHERE id = 1",
    "have no row in the vector table": "DELETE FROM vec_1 WHERE rowid = 3",
    "free slots have no row": "INSERT INTO free_slots VALUES(1, 99)",
    "are free and in use at once": "INSERT INTO free_slots VALUES(1, 3)",
    "are neither free nor in use": "DELETE FROM free_slots",
    "are not of unit length": (
        "UPDATE vec_1 SET embedding = (SELECT embedding FROM vec_1 WHERE rowid = "
        "(SELECT min(slot) FROM free_slots)) WHERE rowid = 3"
    ),
    "free slots are in the way": (
        "UPDATE vec_1 SET embedding = (SELECT embedding FROM vec_1 WHERE rowid = 3) "
        "WHERE rowid = (SELECT min(slot) FROM free_slots)"
    ),
    "cached vectors have the wrong length": "UPDATE vector_cache SET vectors = x'0000'",
    "vectors are of an unknown model": "DELETE FROM models",
    "none is served meanwhile": "UPDATE models SET served = 0",
    "n_vectors of 1 models": "UPDATE models SET n_vectors = 99",
    "n_cached_bytes of 1 models": "UPDATE models SET n_cached_bytes = 99",
    "belong to no model": "CREATE VIRTUAL TABLE vec_9 USING vec0(embedding float[8])",
    "table of the vectors is missing": "DROP TABLE vec_1",
    "SQLite finds the file wrong": "UPDATE terms_data SET block = x'00ff00ff' WHERE id > 1000",
}


def corrupt(path: Path, sql: str) -> None:
    db = connect_writer(path)
    db.run("PRAGMA foreign_keys = OFF")
    db.run(sql)
    db.close()


def test_a_sound_index_has_no_findings(index: SqliteIndex) -> None:
    assert index.check(repair=False) == []
    assert index.check(repair=True) == []


@pytest.mark.parametrize(("sentence", "sql"), CORRUPTIONS.items())
def test_a_corruption_is_found_and_mended(
    index: SqliteIndex, path: Path, sentence: str, sql: str
) -> None:
    corrupt(path, sql)
    found = [finding.sentence for finding in index.check(repair=False)]
    assert any(sentence in each for each in found), found
    assert len(index.check(repair=False)) == len(found)  # a look changes nothing
    mended = index.check(repair=True)
    assert [finding.sentence for finding in mended] == found
    assert all(finding.repaired for finding in mended)
    assert not index.notice
    assert index.check(repair=False) == []
    assert_it_serves_again(index)


def assert_it_serves_again(index: SqliteIndex) -> None:
    """Reading all notes and embedding what waits ends in the state of a fresh index."""
    writer = index.writer()
    writer.set_model(MODEL)
    writer.put(NOTES)
    while waiting := writer.pending([], 50):
        writer.put_vectors({each.hash: [vector_of(each.hash)] for each in waiting})
    assert writer.counts().n_passages_pending == 0
    writer.close()
    assert index.check(repair=False) == []
    with index.read() as reader:
        for each in NOTES:
            passages = reader.passages_of(each.path)
            assert [passage.text for passage in passages] == [
                new.passage.text for new in each.passages
            ]
            assert len(reader.vectors([passage.id for passage in passages])) == 2
            assert [hit.id for hit in reader.lexical([each.path], Filters(), 9)] == [
                passage.id for passage in passages
            ]


def test_a_note_that_was_mended_is_read_again(index: SqliteIndex, path: Path) -> None:
    corrupt(path, "DELETE FROM terms WHERE rowid = 1")
    index.check(repair=True)
    with index.read() as reader:
        stale = [each.path for each in reader.notes().values() if each.text_hash == b""]
        assert stale == ["0.md"]
        assert len(reader.passages_of("1.md")) == 2


def test_a_folder_in_the_place_of_an_index_is_named_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "index.sqlite"
    folder.mkdir()
    (folder / "letter").write_text("precious")
    index = SqliteIndex(folder, tmp_path)
    for use in (index.writer, lambda: index.check(repair=True), lambda: identity(folder)):
        with pytest.raises(IndexUnusable, match=r"is a folder where an index should be; name"):
            use()
    assert (folder / "letter").read_text() == "precious"
