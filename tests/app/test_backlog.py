"""Passages go to the model a few at a time, once each, and come back as vectors."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.adapters.sqlite.store import SqliteWriter
from notekin.app.answers import Embedded
from notekin.app.backlog import Backlog
from notekin.app.embedding import EmbeddingQueue
from support.gate import Gate
from support.indexing import note
from support.vault import PATIENCE_SECONDS, CountingEmbedder


@pytest.fixture
def embedder(gate: Gate) -> CountingEmbedder:
    return CountingEmbedder(before=gate.pass_through)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[SqliteWriter]:
    index = SqliteIndex(tmp_path / "index", tmp_path)
    made = index.writer()
    yield made
    made.close()
    index.close()


@pytest.fixture
def backlog(embedder: CountingEmbedder, gate: Gate) -> Iterator[Backlog]:
    queue = EmbeddingQueue(lambda: embedder)
    queue.warm()
    yield Backlog(queue, lambda: None)
    gate.open()
    queue.close()


def _fill(writer: SqliteWriter, n_notes: int) -> None:
    writer.put(
        [note(f"{number}.md", f"text {number}", mtime_ns=number) for number in range(n_notes)]
    )


def test_a_model_that_takes_no_time_is_fed_no_more_at_once(
    backlog: Backlog, writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(writer, 10)
    submitted: list[str] = []

    def embed_at_once(text: str, *_given: object, **_named: object) -> Future[Embedded]:
        submitted.append(text)
        embedded: Future[Embedded] = Future()
        embedded.set_result(Embedded(CountingEmbedder().info, [b""]))
        return embedded

    monkeypatch.setattr(backlog._queue, "submit", embed_at_once)  # pyright: ignore[reportPrivateUsage]
    assert backlog.feed(writer, ())
    assert len(submitted) == 3, "what has arrived is written before the others"


def test_only_a_few_passages_are_in_flight(backlog: Backlog, writer: SqliteWriter) -> None:
    _fill(writer, 10)
    assert backlog.feed(writer, ())
    assert backlog.busy
    assert not backlog.feed(writer, ()), "no more before one has arrived"
    assert backlog.due_in() is None


def test_a_passage_in_flight_is_not_embedded_twice(
    backlog: Backlog, writer: SqliteWriter, gate: Gate, embedder: CountingEmbedder
) -> None:
    _fill(writer, 3)
    backlog.feed(writer, ())
    gate.wait_until_reached()
    backlog.hurry(writer, ["0.md", "1.md", "2.md"])
    gate.open()
    _drain(backlog, writer)
    assert sorted(embedder.documents) == ["text 0", "text 1", "text 2"]


def test_halt_takes_back_what_was_not_begun(
    backlog: Backlog, writer: SqliteWriter, gate: Gate, embedder: CountingEmbedder
) -> None:
    _fill(writer, 6)
    backlog.feed(writer, ())
    gate.wait_until_reached()
    backlog.halt()
    gate.open()
    _drain(backlog, writer)
    assert embedder.documents == ["text 5"]
    backlog.retry()
    while backlog.feed(writer, ()):
        _drain(backlog, writer)
    assert len(embedder.documents) == 6
    assert writer.counts().n_passages_pending == 0


def test_another_index_is_told_the_model_too(
    backlog: Backlog, writer: SqliteWriter, gate: Gate, tmp_path: Path
) -> None:
    gate.open()
    _fill(writer, 1)
    backlog.feed(writer, ())
    _drain(backlog, writer)
    other = SqliteIndex(tmp_path / "other", tmp_path)
    rebuilt = other.writer()
    _fill(rebuilt, 1)
    backlog.begin()
    backlog.feed(rebuilt, ())
    _drain(backlog, rebuilt)
    assert rebuilt.counts().n_passages_pending == 0
    rebuilt.close()
    other.close()


def test_what_another_model_made_is_dropped_and_waits_again(
    backlog: Backlog, writer: SqliteWriter, gate: Gate, embedder: CountingEmbedder
) -> None:
    _fill(writer, 2)
    backlog.feed(writer, ())
    gate.wait_until_reached()
    other = CountingEmbedder(name="other")
    backlog._queue.reload(lambda: other)  # pyright: ignore[reportPrivateUsage]
    gate.open()
    _drain(backlog, writer)
    assert (len(embedder.documents), writer.counts().n_passages_pending) == (1, 1)
    assert backlog.feed(writer, ())
    _drain(backlog, writer)
    assert sorted(other.documents) == ["text 0", "text 1"]
    assert writer.counts().n_passages_pending == 0


def test_what_a_replaced_model_fails_at_late_waits_for_the_other(
    writer: SqliteWriter, gate: Gate
) -> None:
    def fail(text: str) -> None:
        gate.pass_through()
        raise ValueError(text)

    arrived = threading.Event()
    queue = EmbeddingQueue(lambda: CountingEmbedder(before=fail))
    backlog = Backlog(queue, arrived.set)
    queue.submit("loaded", "query", "query").result(PATIENCE_SECONDS)
    backlog.adopt(writer)
    _fill(writer, 1)
    backlog.feed(writer, ())
    gate.wait_until_reached()
    other = CountingEmbedder(name="other")
    queue.reload(lambda: other)
    queue.submit("loaded", "query", "query").result(PATIENCE_SECONDS)
    backlog.adopt(writer)
    gate.open()
    assert arrived.wait(PATIENCE_SECONDS)
    assert not backlog.refused
    _feed_all(backlog, writer)
    assert other.documents == ["text 0"]
    assert writer.counts().n_passages_pending == 0
    queue.close()


def test_a_model_that_refuses_a_few_passages_is_served_all_the_same(
    backlog: Backlog, writer: SqliteWriter, gate: Gate
) -> None:
    gate.open()
    _fill(writer, 5)
    _feed_all(backlog, writer)
    _change_to(backlog, "2", "other")
    _feed_all(backlog, writer)
    assert backlog.finish(writer)
    assert not backlog.finish(writer)
    assert list(backlog.refused) == ["2.md"]
    assert writer.counts().n_passages_pending == 1
    _change_to(backlog, "nothing", "fake")
    _feed_all(backlog, writer)
    assert not backlog.refused, "another model has not refused it"


def test_a_model_that_refuses_most_passages_takes_no_place(
    backlog: Backlog, writer: SqliteWriter, gate: Gate, embedder: CountingEmbedder
) -> None:
    gate.open()
    _fill(writer, 5)
    _feed_all(backlog, writer)
    _change_to(backlog, "text", "broken")
    _feed_all(backlog, writer)
    assert not backlog.finish(writer)
    _change_to(backlog, "nothing", "fake")
    backlog.adopt(writer)
    assert writer.counts().n_passages_pending == 0
    assert len(embedder.documents) == 5


def _change_to(backlog: Backlog, refused: str, name: str) -> None:
    """Load a model of that name that fails at texts with `refused` in them."""

    def refuse(text: str) -> None:
        if refused in text:
            raise ValueError

    queue = backlog._queue  # pyright: ignore[reportPrivateUsage]
    queue.reload(lambda: CountingEmbedder(name=name, before=refuse))
    queue.submit("loaded", "query", "query").result(PATIENCE_SECONDS)


def _feed_all(backlog: Backlog, writer: SqliteWriter) -> None:
    backlog.adopt(writer)
    while backlog.feed(writer, ()):
        _drain(backlog, writer)


def _drain(backlog: Backlog, writer: SqliteWriter) -> None:
    """Wait until nothing is in flight, and write what came."""
    queue = backlog._queue  # pyright: ignore[reportPrivateUsage]
    # The queue serves in order of priority, so the last of the lowest comes after all others.
    queue.submit("the last", "query", "backlog").result(PATIENCE_SECONDS)
    backlog.write(writer)
    assert not backlog.busy
