"""Inputs that broke systems like this one, as far as they reach the store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notekin.adapters.sqlite.connect import connect_inspector
from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.ports import Counts, Holders
from notekin.core.query import Filters
from support.indexing import MODEL, embed_all, note, vector_of

ANY = Filters()


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteIndex]:
    folder = tmp_path_factory.mktemp("index")
    made = SqliteIndex(folder / "index.sqlite", folder)
    yield made
    made.close()


@pytest.fixture
def writer(index: SqliteIndex) -> Iterator[SqliteWriter]:
    opened = index.writer()
    opened.set_model(MODEL)
    opened.clear()
    yield opened
    opened.close()


def test_300_saves_and_a_deletion_leave_no_orphans(
    index: SqliteIndex, writer: SqliteWriter
) -> None:
    for n in range(300):
        writer.put([note("n.md", "always here", f"save {n}", f"and {n // 7}")])
        if n % 3:
            embed_all(writer)
    writer.delete(["n.md"])
    assert index.check(repair=False) == []
    assert writer.counts() == Counts()
    db = connect_inspector(index.path)
    sql = """SELECT (SELECT count(*) FROM chunks) + (SELECT count(*) FROM terms)
             + (SELECT count(*) FROM vectors) + (SELECT count(*) FROM links)"""
    assert db.value(sql) == 0
    n_slots = db.value("SELECT count(*) FROM free_slots")
    assert n_slots <= 3  # never more than were needed at once
    db.close()


def test_a_restart_embeds_what_is_left(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    first = SqliteIndex(path, tmp_path)
    writer = first.writer()
    writer.set_model(MODEL)
    writer.put([note("n.md", *(f"passage {n}" for n in range(200)))])
    for each in writer.pending([], 40):
        writer.put_vectors({each.hash: [vector_of(each.hash)]})
    # Nothing is closed: the process is gone.
    second = SqliteIndex(path, tmp_path)
    again = second.writer()
    again.set_model(MODEL)
    assert again.counts() == Counts(1, 0, 200, 160)
    waiting = again.pending([], 1000)
    assert [each.embedded for each in waiting] == [f"passage {n}" for n in range(40, 200)]
    writer.close()
    again.close()


@pytest.mark.parametrize(
    "term",
    ["don't", "multi-agent", "TODO: fix", "C++", '"open', "NOT", "*", "a AND", "col:x", "", " ",
     "NEAR(", "^a", "-a", "{a}", "a\0b", "\ud800", "😀", '""', "title:a", "a" * 100_000],
)  # fmt: skip
def test_no_term_is_an_error(index: SqliteIndex, writer: SqliteWriter, term: str) -> None:
    writer.put([note("a", "text")])
    with index.read() as reader:
        assert len(reader.lexical([term, "text"], ANY, 9)) == 1
        reader.lexical([term], ANY, 9)
        (id_,) = (passage.id for passage in reader.passages_of("a"))
        assert reader.holding([id_], [term]) == {term: Holders(0, frozenset())}


@given(terms=st.lists(st.text(st.characters()), max_size=8))
@settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_terms_are_an_error(index: SqliteIndex, terms: list[str]) -> None:
    with index.read() as reader:
        reader.lexical(terms, ANY, 9)
        reader.holding([], terms)


def test_ten_thousand_terms_are_no_error(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note("a", "word9999 text")])
    with index.read() as reader:
        assert len(reader.lexical([f"word{n}" for n in range(10_000)], ANY, 9)) == 1


def test_a_limit_of_5000_is_served_in_full(index: SqliteIndex, writer: SqliteWriter) -> None:
    for start in range(0, 6000, 1000):
        texts = (f"text {n}" for n in range(start, start + 1000))
        writer.put([note(f"{start}.md", *texts)])
    embed_all(writer)
    with index.read() as reader:
        hits = reader.semantic(vector_of("query"), ANY, 5000)
        assert len({hit.id for hit in hits}) == 5000
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)
        few = reader.semantic(vector_of("query"), ANY, 300)
        assert few == hits[:300]
        assert len(reader.semantic(vector_of("query"), ANY, 10**9)) == 6000
        assert len(reader.lexical(["text"], ANY, 5000)) == 5000


ODD_NAMES = [
    "a b.md", "a_b.md", "a-b.md", "README.md", "readme.md", "caf\u00e9.md", "cafe\u0301.md",
    "100%.md", "#tag.md", "new\nline.md", "q'uote\".md", "\udcff\udcfe.md", "nul\0.md", "😀/x.md",
]  # fmt: skip


def test_odd_names_are_all_distinct(index: SqliteIndex, writer: SqliteWriter) -> None:
    writer.put([note(name, f"text of {n}") for n, name in enumerate(ODD_NAMES)])
    with index.read() as reader:
        assert set(reader.notes()) == set(ODD_NAMES)
        for n, name in enumerate(ODD_NAMES):
            (passage,) = reader.passages_of(name)
            assert (passage.path, passage.text) == (name, f"text of {n}")
    for n, name in enumerate(ODD_NAMES):
        assert writer.delete([name]) == 1
        assert writer.counts().n_notes == len(ODD_NAMES) - n - 1


@given(text=st.text(st.characters()), title=st.text(st.characters()))
@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_text_comes_back_as_it_went_in(index: SqliteIndex, text: str, title: str) -> None:
    writer = index.writer()
    try:
        writer.put([note("any.md", text, title=title, tags=[title], links=[text])])
        with index.read() as reader:
            (passage,) = reader.passages_of("any.md")
            stored = reader.note("any.md")
            assert stored is not None
            assert (passage.text, passage.title, stored.title) == (text, title, title)
            assert passage.headings == ((title,) if title else ())
            assert stored.tags == (title,)
            assert list(reader.links_of("any.md")) == [text]
        waiting = writer.pending(["any.md"], 1)
        assert waiting[0].embedded == (f"{title}\n\n{text}" if title else text)
    finally:
        writer.close()
