"""What every `Index` promises of its two lanes and of reading."""

import threading
from pathlib import Path

import pytest
from attrs import evolve

from notekin.adapters.sqlite import search
from notekin.adapters.sqlite.connect import connect_writer
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.cancel import CancelToken
from notekin.app.errors import Cancelled
from notekin.app.ports import Holders
from notekin.core.query import Filters
from support.indexing import embed_all, ids_of, note, unit, vector_of
from support.old_schema import age

ANY = Filters()

pytestmark = pytest.mark.usefixtures("scan")


def test_a_passage_of_several_vectors_is_found_once_by_its_best(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("long", "long"), note("near", "near"), note("far", "far")])
    hashes = {each.path: each.hash for each in writer.pending([], 9)}
    parts = [unit(1, 0.01 * n) for n in range(6)]
    writer.put_vectors(
        {hashes["long"]: parts, hashes["near"]: [unit(1, 1)], hashes["far"]: [unit(-1)]}
    )
    with index.read() as reader:
        for limit in (1, 2, 3, 5000):
            hits = reader.semantic(unit(1), ANY, limit)
            paths = [reader.passages([hit.id])[hit.id].path for hit in hits]
            assert paths == ["long", "near", "far"][:limit]
        hits = reader.semantic(unit(1), ANY, 9)
        assert [hit.score for hit in hits] == pytest.approx([1, 0.5**0.5, -1], abs=3e-5)
        assert reader.vectors([hits[0].id])[hits[0].id] == parts
    writer.delete(["long"])
    with index.read() as reader:
        assert len(reader.semantic(unit(1), ANY, 9)) == 2
    assert index.check(repair=False) == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(folders=("a",)), {"a/x.md", "a/b/y.md"}),
        (Filters(folders=("a/b/", "a%")), {"a/b/y.md", "a%/z.md"}),
        (Filters(folders=("",)), {"a/x.md", "a/b/y.md", "ab/x.md", "a%/z.md", "A/x.md"}),
        (Filters(folders=("nowhere",)), set[str]()),
        (Filters(kinds=("pdf",)), {"ab/x.md"}),
        (Filters(kinds=("pdf", "text")), {"ab/x.md"}),
        (Filters(tags=("work",)), {"a/x.md", "a/b/y.md"}),
        (Filters(tags=("work/now",)), {"a/b/y.md"}),
        (Filters(tags=("#WORK/Now",)), {"a/b/y.md"}),
        (Filters(tags=("e\u0301tude",)), {"a/b/y.md"}),
        (Filters(tags=("", "#")), set[str]()),
        (Filters(tags=("wor", "%", "_")), set[str]()),
        (Filters(without=("a/x.md", "none")), {"a/b/y.md", "ab/x.md", "a%/z.md", "A/x.md"}),
        (Filters(folders=("a",), tags=("work",), without=("a/x.md",)), {"a/b/y.md"}),
    ],
)
def test_filters_hold_inside_both_lanes(
    index: SqliteIndex, writer: SqliteWriter, filters: Filters, expected: set[str]
) -> None:
    notes = [
        note("a/x.md", "word 1", tags=["work"]),
        note("a/b/y.md", "word 2", tags=["Work/now", "\u00c9tude"]),
        evolve(note("ab/x.md", "word 3", tags=["works"]), kind="pdf"),
        note("a%/z.md", "word 4"),
        note("A/x.md", "word 5"),
    ]
    writer.put(notes)
    embed_all(writer)
    with index.read() as reader:
        for hits in (
            reader.lexical(["word"], filters, 9),
            reader.semantic(unit(1), filters, 9),
            reader.semantic(unit(1), filters, 9000),
        ):
            found = reader.passages([hit.id for hit in hits]).values()
            assert {passage.path for passage in found} == expected
        # The filter comes before the limit: what passes is found however far it lies.
        assert len(reader.semantic(unit(1), filters, 1)) == bool(expected)
        assert len(reader.lexical(["word"], filters, 1)) == bool(expected)


def test_a_wide_filter_and_a_narrow_one_find_the_same(
    index: SqliteIndex, writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.put([note(f"{n % 2}/{n}.md", f"text {n}") for n in range(50)])
    embed_all(writer)
    filters = Filters(folders=("1",))
    with index.read() as reader:
        monkeypatch.setattr(search, "FEW_SHARE", 1)
        narrow = reader.semantic(vector_of("query"), filters, 7)
        monkeypatch.setattr(search, "FEW_SHARE", 10**6)
        wide = reader.semantic(vector_of("query"), filters, 7)
    assert [hit.id for hit in wide] == [hit.id for hit in narrow]
    assert [hit.score for hit in wide] == pytest.approx([hit.score for hit in narrow], abs=3e-5)


def test_a_long_note_left_out_leaves_room_for_all_others(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("long", *(f"text {n}" for n in range(200))), note("a", "a"), note("b", "b")])
    hashes = {each.hash: each for each in writer.pending([], 300)}
    writer.put_vectors(
        {
            hash_: [unit(1, 0.001)] if each.path == "long" else [unit(1, 1), unit(1, 2)]
            for hash_, each in hashes.items()
        }
    )
    without = Filters(without=("long",))
    with index.read() as reader:
        for limit in (2, 10, 5000):
            assert len(reader.semantic(unit(1), without, limit)) == 2
        assert len(reader.semantic(unit(1), without, 1)) == 1


def test_what_a_passage_holds_and_how_many_hold_it(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    writer.put([note("n", "red green", "green blue", "v2_final c++ 1.0.21 @x/y don't")])
    first, second, third = ids_of(index, "n")
    with index.read() as reader:
        assert reader.holding([first, third], ["green", "blue", "n", "nothing"]) == {
            "green": Holders(2, frozenset([first])),
            "blue": Holders(1, frozenset()),
            "n": Holders(3, frozenset([first, third])),
            "nothing": Holders(0, frozenset()),
        }
        # A request asks again, of other passages and with other terms among the same.
        assert reader.holding([second], ["n", "red", "green"]) == {
            "n": Holders(3, frozenset([second])),
            "red": Holders(1, frozenset()),
            "green": Holders(2, frozenset([second])),
        }
        for term in ("v2_final", "c++", "1.0.21", "@x/y", "don't"):
            assert [hit.id for hit in reader.lexical([term], ANY, 9)] == [third], term


def test_a_word_in_the_title_weighs_more(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note("a", "plan and more"), note("b", "other words here", title="plan")])
    writer.put([note(f"c{n}", "filler text stands here") for n in range(20)])
    with index.read() as reader:
        best = reader.lexical(["plan"], ANY, 9)
        assert reader.passages([best[0].id])[best[0].id].path == "b"
        assert best[0].score > best[1].score > 0


def test_a_term_asked_for_twice_weighs_twice(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note("a", "red"), note("b", "blue"), *(note(f"c{n}", "other") for n in range(20))])
    with index.read() as reader:
        (once,) = reader.lexical(["red"], ANY, 9)
        best, other = reader.lexical(["blue", "red", "red"], ANY, 9)
        assert best.id == once.id
        assert best.score == pytest.approx(2 * once.score)
        assert other.score == pytest.approx(once.score)


def test_cosines_are_those_of_the_vector_lane(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note("n", *(f"text {n}" for n in range(9)))])
    embed_all(writer)
    writer.put([note("m", "without a vector")])
    with index.read() as reader:
        found = {hit.id: hit.score for hit in reader.semantic(unit(1), ANY, 20)}
        everywhere = [*ids_of(index, "n"), *ids_of(index, "m"), 999]
        assert reader.cosines(unit(1), everywhere) == pytest.approx(found, abs=3e-5)
        assert set(reader.vectors(everywhere)) == set(found)
        assert reader.cosines(unit(1), []) == {}
        assert reader.cosines(vector_of(1, 4), everywhere) == {}


def test_frequencies_stay_exact_when_passages_change(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    for n in range(60):
        writer.put([note(f"{n % 20}", f"common word{n}", f"common kind{n % 3}")])
    writer.delete([f"{n}" for n in range(5)])
    with index.read() as reader:
        terms = ["common", "kind0", "kind1", "kind2", "word59", "word1", "x"]
        found = {term: held.n_passages for term, held in reader.holding([], terms).items()}
        assert found == {term: len(reader.lexical([term], ANY, 99)) for term in terms}
        assert reader.frequencies(terms) == found


def test_a_reader_sees_one_moment(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note("a", "text")])
    with index.read() as reader:
        writer.put([note("b", "text")])
        assert set(reader.notes()) == {"a"}
        with index.read() as second:
            assert set(second.notes()) == {"a", "b"}


def search_for_ever(index: SqliteIndex, token: CancelToken, started: threading.Event) -> None:
    with index.read(token) as reader:
        started.set()
        while True:
            reader.semantic(unit(1), ANY, 5000)
            reader.lexical(["text"], ANY, 5000)


def test_cancelling_interrupts_a_query(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note(f"{n}", *(f"text {n} {part}" for part in range(20))) for n in range(100)])
    embed_all(writer)
    token = CancelToken()
    started = threading.Event()

    def cancel() -> None:
        started.wait()
        token.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(Cancelled):
        search_for_ever(index, token, started)
    thread.join()
    with index.read() as reader:  # the connection serves again
        assert len(reader.lexical(["text"], ANY, 9)) == 9
    with pytest.raises(Cancelled), index.read(token):
        pass


def test_an_index_that_minded_the_case_of_tags_reads_their_notes_again(tmp_path: Path) -> None:
    path = tmp_path / "old"
    index = SqliteIndex(path, tmp_path)
    writer = index.writer()
    tagged = note("a", "word", tags=["Work"])
    writer.put([tagged, note("b", "word")])
    writer.close()
    index.close()
    age(path, 4)
    connection = connect_writer(path)
    connection.run("UPDATE tags SET tag = CAST('Work' AS BLOB)")
    connection.close()

    index = SqliteIndex(path, tmp_path)
    writer = index.writer()
    with index.read() as reader:
        notes = reader.notes()
        assert [path for path, stored in notes.items() if stored.text_hash == b""] == ["a"]
    assert index.check(repair=False) == []
    assert writer.put([tagged])[0].n_kept == 1
    with index.read() as reader:
        assert len(reader.lexical(["word"], Filters(tags=("work",)), 9)) == 1
    writer.close()
    index.close()
