"""Who is asked for vectors: all that may have some, and nobody in vain again and again."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest
from attrs import field, frozen

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.backlog import Backlog
from notekin.app.borrowing import Borrower
from notekin.app.embedding import EmbeddingQueue
from notekin.app.ports import ModelInfo
from notekin.core.vectors import Vector
from support.indexing import MODEL, note
from support.vault import CountingEmbedder


@frozen
class _Shelf:
    """A closed index, which notes what it is asked."""

    held: Mapping[bytes, Sequence[Vector]] = field(factory=dict[bytes, Sequence[Vector]], eq=False)
    asked: list[set[bytes]] = field(factory=list[set[bytes]], eq=False)

    def lend(self, hashes: Collection[bytes], model: ModelInfo) -> Mapping[bytes, Sequence[Vector]]:
        assert model.name in (MODEL.name, CountingEmbedder().info.name)
        self.asked.append(set(hashes))
        return {each: self.held[each] for each in hashes if each in self.held}


def test_what_has_nothing_is_asked_once_for_a_piece_of_work() -> None:
    shelf = _Shelf(held={b"c": [b"vector"]})
    borrower = Borrower(closed_shelves=lambda: [shelf])
    for asked in (b"a", b"b", b"c"):
        assert borrower.borrow({asked}, MODEL) == {}
    assert shelf.asked == [{b"a"}]
    borrower.rest()
    assert borrower.borrow({b"c"}, MODEL) == {b"c": [b"vector"]}


def test_a_piece_of_work_ends_when_nothing_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = SqliteIndex(tmp_path / "index", tmp_path)
    writer = index.writer()
    queue = EmbeddingQueue(CountingEmbedder)
    shelf = _Shelf()
    backlog = Backlog(queue, lambda: None, Borrower(closed_shelves=lambda: [shelf]))
    try:
        monkeypatch.setattr(EmbeddingQueue, "info", CountingEmbedder().info)
        backlog.adopt(writer)
        _save(writer, backlog, "first")
        _save(writer, backlog, "second")
    finally:
        queue.close()
        writer.close()
        index.close()
    assert len(shelf.asked) == 2


def _save(writer: SqliteWriter, backlog: Backlog, text: str) -> None:
    """Store a note, embed it elsewhere, and have the backlog see that nothing waits."""
    writer.put([note(f"{text}.md", text)])
    assert backlog.feed(writer, ())
    (vector,) = CountingEmbedder().embed(text, "document")
    writer.put_vectors({each.hash: [vector] for each in writer.pending([], 10)})
    backlog.forget_fetched()
    backlog.feed(writer, ())
