"""What every `Index` promises."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.indexing import MODEL, ids_of, note, stat, unit, vector_of

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.cancel import CancelToken
from notekin.app.errors import Cancelled
from notekin.app.ports import Counts, FileStat, ModelInfo, PlanCounts
from notekin.core.query import Filters
from notekin.core.vectors import pack

ANY = Filters()


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SqliteIndex]:
    made = SqliteIndex(tmp_path / "data" / "index.sqlite", tmp_path)
    yield made
    made.close()


@pytest.fixture
def writer(index: SqliteIndex) -> Iterator[SqliteWriter]:
    opened = index.writer()
    opened.set_model(MODEL)
    yield opened
    opened.close()


def embed_all(writer: SqliteWriter) -> int:
    waiting = writer.pending([], 10_000)
    return writer.put_vectors({each.hash: [vector_of(each.embedded)] for each in waiting})


def test_a_note_is_stored_with_its_passages(index: SqliteIndex, writer: SqliteWriter) -> None:
    stored = note("a/b.md", "one two", "zwei 😀 drei", title="Both", tags=["x"], links=["c", "d"])
    assert writer.put([stored]) == [PlanCounts(n_new=2)]
    with index.read() as reader:
        found = reader.note("a/b.md")
        assert found is not None
        assert (found.title, found.tags, found.stat) == ("Both", ("x",), stored.stat)
        first, second = reader.passages_of("a/b.md")
        assert (second.text, second.headings, second.title) == ("zwei 😀 drei", ("Both",), "Both")
        assert (second.start, second.end) == (stored.passages[1].start, stored.passages[1].end)
        assert (second.start_offset, second.end_offset) == (9, 20)
        assert second.hash == stored.passages[1].passage.hash
        assert reader.links_of("a/b.md") == ["c", "d"]
        assert reader.passages([first.id, 99]) == {first.id: first}
        assert reader.counts() == Counts(1, 0, 2, 2)
        assert set(reader.notes()) == {"a/b.md"}
        assert reader.note("a") is None


def test_a_deleted_note_leaves_no_hit_in_either_lane(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("gone.md", "xylophon solo"), note("stays.md", "other words")])
    embed_all(writer)
    assert writer.delete(["gone.md"]) == 1
    with index.read() as reader:
        assert reader.lexical(["xylophon"], ANY, 10) == []
        hits = reader.semantic(vector_of("xylophon solo"), ANY, 10)
        assert [reader.passages([hit.id])[hit.id].path for hit in hits] == ["stays.md"]
        assert reader.counts() == Counts(1, 0, 1, 0)
    assert index.check(repair=False) == []


def test_a_folder_goes_with_all_below_it_and_nothing_beside_it(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note(path, path) for path in ("a/b.md", "a/c/d.md", "ab.md", "a", "a%/x.md")])
    assert writer.delete(["a"]) == 3
    with index.read() as reader:
        assert set(reader.notes()) == {"ab.md", "a%/x.md"}
    assert writer.delete([""]) == 2


def test_an_unchanged_passage_keeps_its_id_and_vector(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("n.md", "one", "two", "three")])
    embed_all(writer)
    one, two, three = ids_of(index, "n.md")
    assert writer.put([note("n.md", "new", "one", "three")]) == [
        PlanCounts(n_kept=2, n_new=1, n_deleted=1)
    ]
    with index.read() as reader:
        passages = reader.passages_of("n.md")
        assert [(each.text, each.ordinal) for each in passages] == [
            ("new", 0), ("one", 1), ("three", 2)
        ]  # fmt: skip
        assert [each.id for each in passages][1:] == [one, three]
        assert two not in [each.id for each in passages]
        assert [each.start.line for each in passages] == [0, 2, 4]
        assert set(reader.vectors([one, three, passages[0].id])) == {one, three}
    # What was cut comes back from the cache, what moves to another note from its live vector.
    assert writer.put([note("n.md", "one", "two", "three")]) == [
        PlanCounts(n_kept=2, n_reused=1, n_deleted=1)
    ]
    assert writer.put([note("m.md", "three")]) == [PlanCounts(n_reused=1)]
    assert writer.pending([], 10) == []
    assert index.check(repair=False) == []


def test_a_renamed_note_is_found_by_its_new_name_and_embeds_nothing(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("old", "text")])
    embed_all(writer)
    writer.delete(["old"])
    assert writer.put([note("new", "text")]) == [PlanCounts(n_reused=1)]
    with index.read() as reader:
        assert reader.lexical(["old"], ANY, 5) == []
        assert len(reader.lexical(["new"], ANY, 5)) == 1


def test_terms_that_changed_reach_the_text_index_of_a_kept_passage(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    plain = note("n.md", "text", title="one")
    writer.put([plain])
    from attrs import evolve

    passage = plain.passages[0]
    terms = evolve(passage.terms, title="renamed")
    assert writer.put([evolve(plain, passages=(evolve(passage, terms=terms),))]) == [
        PlanCounts(n_kept=1)
    ]
    with index.read() as reader:
        assert reader.lexical(["n.md"], ANY, 5) == []
        assert len(reader.lexical(["renamed"], ANY, 5)) == 1
