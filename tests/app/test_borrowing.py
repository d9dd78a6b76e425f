"""Who is asked for vectors: all that may have some, and nobody again of the same in vain."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

import pytest
from attrs import field, frozen

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.answers import Embedded
from notekin.app.backlog import Backlog
from notekin.app.borrowing import Borrower
from notekin.app.embedding import EmbeddingQueue
from notekin.app.ports import ModelInfo
from notekin.core.vectors import Vector
from support.indexing import MODEL, note
from support.vault import CountingEmbedder


@frozen
class _Shelf:
    """A closed index, which notes what it is asked; another `version` of it is another value."""

    version: int = 0
    held: Mapping[bytes, Sequence[Vector]] = field(factory=dict[bytes, Sequence[Vector]], eq=False)
    asked: list[set[bytes]] = field(factory=list[set[bytes]], eq=False)

    def lend(self, hashes: Collection[bytes], model: ModelInfo) -> Mapping[bytes, Sequence[Vector]]:
        assert model.name in (MODEL.name, CountingEmbedder().info.name)
        self.asked.append(set(hashes))
        return {each: self.held[each] for each in hashes if each in self.held}


def test_what_has_nothing_of_a_passage_may_have_the_next() -> None:
    shelf = _Shelf(held={b"b": [b"vector"]})
    borrower = Borrower(closed_shelves=lambda: [shelf])
    assert borrower.borrow({b"a"}, MODEL) == {}
    assert borrower.borrow({b"a", b"b"}, MODEL) == {b"b": [b"vector"]}


def test_nobody_is_asked_again_of_what_still_waits() -> None:
    shelf = _Shelf()
    borrower = Borrower(closed_shelves=lambda: [shelf])
    for waiting in ({b"a"}, {b"a", b"b"}, {b"b"}, {b"b"}):
        assert borrower.borrow(waiting, MODEL) == {}
    assert shelf.asked == [{b"a"}, {b"b"}]
    borrower.rest()
    borrower.borrow({b"b"}, MODEL)
    assert shelf.asked[2:] == [{b"b"}]


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[SqliteWriter]:
    index = SqliteIndex(tmp_path / "index", tmp_path)
    writer = index.writer()
    yield writer
    writer.close()
    index.close()


@pytest.fixture
def queue() -> Iterator[EmbeddingQueue]:
    queue = EmbeddingQueue(CountingEmbedder)
    yield queue
    queue.close()


def test_a_piece_of_work_ends_when_nothing_waits(
    writer: SqliteWriter, queue: EmbeddingQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = _Shelf()
    borrower = Borrower(closed_shelves=lambda: [shelf])
    backlog = Backlog(queue, lambda: None, borrower)
    monkeypatch.setattr(EmbeddingQueue, "info", CountingEmbedder().info)
    backlog.adopt(writer)
    _save(writer, backlog, "first")
    borrower.borrow(shelf.asked[0], CountingEmbedder().info)
    assert len(shelf.asked) == 2


def test_what_another_process_wrote_meanwhile_is_not_embedded(
    writer: SqliteWriter, queue: EmbeddingQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = CountingEmbedder()
    submitted: list[Future[Embedded]] = []

    def submit(*_given: object, **_named: object) -> Future[Embedded]:
        submitted.append(Future())
        return submitted[-1]

    monkeypatch.setattr(EmbeddingQueue, "info", model.info)
    monkeypatch.setattr(EmbeddingQueue, "submit", submit)
    shelves = [_Shelf()]
    backlog = Backlog(queue, lambda: None, Borrower(closed_shelves=lambda: shelves))
    backlog.adopt(writer)
    writer.put([note(f"{number}.md", f"text {number}") for number in range(8)])
    backlog.feed(writer, ())
    n_begun = len(submitted)
    vectors = model.embed("text", "document")
    held = {each.hash: vectors for each in writer.pending([], 10)}
    assert n_begun < len(held)
    shelves[:] = [_Shelf(version=1, held=held)]
    for future in submitted:
        future.set_result(Embedded(model.info, vectors))
    assert not backlog.feed(writer, ())
    assert len(submitted) == n_begun
    assert writer.pending([], 10) == []


def test_for_another_model_all_are_asked_again(
    writer: SqliteWriter, queue: EmbeddingQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = _Shelf()
    backlog = Backlog(queue, lambda: None, Borrower(closed_shelves=lambda: [shelf]))
    writer.put([note("a.md", "text")])
    for model in (CountingEmbedder().info, MODEL):
        monkeypatch.setattr(EmbeddingQueue, "info", model)
        backlog.adopt(writer)
        backlog.feed(writer, ())
    assert [len(asked) for asked in shelf.asked] == [1, 1]


def _save(writer: SqliteWriter, backlog: Backlog, text: str) -> None:
    """Store a note, embed it elsewhere, and have the backlog see that nothing waits."""
    writer.put([note(f"{text}.md", text)])
    assert backlog.feed(writer, ())
    (vector,) = CountingEmbedder().embed(text, "document")
    writer.put_vectors({each.hash: [vector] for each in writer.pending([], 10)})
    backlog.forget_fetched()
    backlog.feed(writer, ())
