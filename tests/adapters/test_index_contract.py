"""What every `Index` promises."""

import pytest
from attrs import evolve

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.ports import Counts, FileStat, MovedNote, PassageTerms, PlanCounts, Touched
from notekin.core.query import Filters
from notekin.core.vectors import pack
from support.indexing import embed_all, ids_of, note, stat, unit, vector_of

ANY = Filters()


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
        assert reader.passages([]) == {}
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


def test_the_last_of_several_states_of_a_note_is_stored(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    first = note("new.md", "one", "two", title="First", tags=["x", "y"], links=["c", "d"])
    last = note("new.md", "two", "three", title="Last", tags=["y"], links=["d"])
    # Whether the note is new to the index is another path than where it was there.
    for _ in ("new", "known"):
        writer.put([first, note("other.md", "four"), last])
        with index.read() as reader:
            assert [each.text for each in reader.passages_of("new.md")] == ["two", "three"]
            assert reader.links_of("new.md") == ["d"]
            assert reader.lexical(["one"], ANY, 10) == []
            assert len(reader.lexical(["two"], Filters(tags=("y",)), 10)) == 1
            assert reader.lexical(["two"], Filters(tags=("x",)), 10) == []
            assert reader.counts() == Counts(2, 0, 3, 3)
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
            ("new", 0),
            ("one", 1),
            ("three", 2),
        ]
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


def test_a_passage_that_a_note_has_twice_takes_its_vector_out_of_the_cache_for_both(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("once", "text")])
    embed_all(writer)
    writer.delete(["once"])
    assert writer.put([note("twice", "text", "text")]) == [PlanCounts(n_reused=2)]
    assert writer.pending([], 10) == []
    with index.read() as reader:
        assert set(reader.vectors(ids_of(index, "twice"))) == set(ids_of(index, "twice"))
    assert index.check(repair=False) == []


def test_terms_that_changed_reach_the_text_index_of_a_kept_passage(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    plain = note("n.md", "text", title="one")
    writer.put([plain])
    passage = plain.passages[0]
    terms = evolve(passage.terms, title="renamed")
    assert writer.put([evolve(plain, passages=(evolve(passage, terms=terms),))]) == [
        PlanCounts(n_kept=1)
    ]
    with index.read() as reader:
        assert reader.lexical(["n.md"], ANY, 5) == []
        assert len(reader.lexical(["renamed"], ANY, 5)) == 1


def test_pending_comes_in_the_order_first_then_newest_then_document_order(
    writer: SqliteWriter,
) -> None:
    writer.put(
        [
            note("old", "o1", "o2", mtime_ns=1),
            note("new", "n1", "n2", mtime_ns=3),
            note("open", "p1", mtime_ns=2, title="T"),
        ]
    )
    found = writer.pending(["open", "absent"], 4)
    assert [each.embedded for each in found] == ["T\n\np1", "n1", "n2", "o1"]
    assert [each.path for each in writer.pending(["old"], 2)] == ["old", "old"]
    assert writer.pending([], 0) == []


def test_one_vector_serves_all_passages_of_the_same_text(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("a", "same"), note("b", "same")])
    (hash_,) = {each.hash for each in writer.pending([], 9)}
    assert writer.put_vectors({hash_: [unit(1)], b"nobody waits": [unit(2)]}) == 2
    assert writer.counts() == Counts(2, 0, 2, 0)
    with index.read() as reader:
        assert len(reader.semantic(unit(1), ANY, 9)) == 2


def test_vectors_that_came_too_late_serve_the_passage_when_it_is_back(
    writer: SqliteWriter,
) -> None:
    writer.put([note("a", "text")])
    (waiting,) = writer.pending([], 9)
    writer.delete(["a"])
    assert writer.put_vectors({waiting.hash: [unit(1)]}) == 0
    assert writer.put([note("a", "text")]) == [PlanCounts(n_reused=1)]


def test_a_note_that_fails_loses_its_passages_and_is_listed(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("b", "text"), note("a", "text")])
    writer.fail("b", "text", stat(5), "It holds binary data.")
    writer.fail("0", "text", stat(5), "No permission.")
    assert writer.counts() == Counts(1, 2, 1, 1)
    with index.read() as reader:
        assert reader.failures(9) == [("0", "No permission."), ("b", "It holds binary data.")]
        assert reader.failures(1) == [("0", "No permission.")]
        stored = reader.note("b")
        assert stored is not None
        assert (stored.reason, stored.stat, stored.text_hash) == (
            "It holds binary data.",
            stat(5),
            b"",
        )
    writer.put([note("b", "text")])
    assert writer.counts() == Counts(2, 1, 2, 2)


def test_touch_records_a_stat_and_nothing_else(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note("a", "text")])
    huge = FileStat(2**62, 3, 2**64 - 1)
    with index.read() as reader:
        before = reader.revision()
    writer.touch([Touched("a", huge, racy=True)])
    with index.read() as reader:
        stored = reader.note("a")
        assert stored is not None
        assert (stored.stat, stored.racy) == (huge, True)
        assert reader.revision() == before


def test_revision_grows_with_every_change(index: SqliteIndex, writer: SqliteWriter) -> None:
    def revision() -> int:
        with index.read() as reader:
            return reader.revision()

    seen = [revision()]
    writer.put([note("a", "text")])
    seen.append(revision())
    embed_all(writer)
    seen.append(revision())
    writer.delete(["a"])
    seen.append(revision())
    assert seen == sorted(set(seen))


def test_vectors_of_the_wrong_size_are_refused(writer: SqliteWriter) -> None:
    writer.put([note("a", "text")])
    (waiting,) = writer.pending([], 9)
    with pytest.raises(ValueError, match="32 bytes"):
        writer.put_vectors({waiting.hash: [pack([1.0])]})
    assert writer.counts().n_passages_pending == 1


def test_clear_forgets_notes_and_keeps_vectors(index: SqliteIndex, writer: SqliteWriter) -> None:
    notes = [note(f"{n}", f"text {n}") for n in range(300)]
    writer.put(notes)
    embed_all(writer)
    writer.clear()
    assert writer.counts() == Counts()
    for each in notes:
        assert writer.put([each]) == [PlanCounts(n_reused=1)]
    assert index.check(repair=False) == []


def test_what_is_parked_is_seen_by_every_connection(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    for _ in range(2):
        assert index.park("cancelled") == "cancelled"
        assert index.park("user") == "user"
        assert index.park("cancelled") == "user"
        with index.read() as reader:
            assert reader.parked() == "user"
            revision = reader.revision()
        index.unpark()
        index.unpark()
        with index.read() as reader:
            assert reader.parked() is None
            assert reader.revision() == revision
    writer.put([note("a", "written beside it")])


def moved(index: SqliteIndex, old: str, new: str, *, words: str) -> MovedNote:
    terms = PassageTerms(f"{new} {words}", "", words)
    return MovedNote(old, new, stat(7), racy=True, terms=dict.fromkeys(ids_of(index, old), terms))


def test_moved_notes_keep_their_passages_and_vectors(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("a", "one", links=["c"], tags=["x"]), note("b", "two"), note("c", "three")])
    embed_all(writer)
    before = {path: ids_of(index, path) for path in "abc"}
    # Each takes the place of the next, the last one of a note that goes.
    writer.put([note("d", "four")])
    moves = [moved(index, old, new, words="named") for old, new in ("ab", "bc", "cd")]
    assert writer.move([*moves, moved(index, "absent", "a", words="nothing")]) == 3
    with index.read() as reader:
        assert set(reader.notes()) == {"b", "c", "d"}
        assert reader.links_of("b") == ["c"]
        found = reader.note("b")
        assert found is not None
        assert (found.stat, found.racy, found.tags) == (stat(7), True, ("x",))
        assert set(reader.notes("b")) == {"b"}
        assert set(reader.notes_modified_at([7, 1 << 62])) == {"b", "c", "d"}
        assert reader.notes_modified_at([1]) == {}
        assert len(reader.lexical(["named"], ANY, 9)) == 3
        assert reader.lexical(["a"], ANY, 9) == []
        assert len(reader.vectors(before["a"])) == 1
        assert reader.counts() == Counts(3, 0, 3, 0)
    assert {path: ids_of(index, path) for path in "bcd"} == dict(
        zip("bcd", before.values(), strict=True)
    )
    assert index.check(repair=False) == []


def test_notes_below_a_folder(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note(path, path) for path in ("a/b.md", "a/c/d.md", "ab.md", "a")])
    with index.read() as reader:
        assert set(reader.notes("a")) == {"a", "a/b.md", "a/c/d.md"}
        assert set(reader.notes("a/c")) == {"a/c/d.md"}
        assert len(reader.notes()) == 4
