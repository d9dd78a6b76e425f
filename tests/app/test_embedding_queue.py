"""The embedding queue: order, several at once, cancellation and closing, with the fake model."""

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future

import pytest

from notekin.app.answers import Embedded
from notekin.app.cancel import CancelToken
from notekin.app.embedding import EmbeddingQueue, Priority
from notekin.app.errors import ModelUnavailable
from support.crowd import Crowd
from support.fake_embedder import FakeEmbedder

WAIT = 10.0  # seconds until a test gives up; nothing here takes long


@pytest.fixture
def crowd() -> Crowd:
    return Crowd()


@pytest.fixture
def model(crowd: Crowd) -> FakeEmbedder:
    return FakeEmbedder(before=crowd)


@pytest.fixture
def queue(model: FakeEmbedder, crowd: Crowd) -> Iterator[EmbeddingQueue]:
    queue = EmbeddingQueue(lambda: model)
    yield queue
    crowd.open()
    queue.close()


def hold(queue: EmbeddingQueue, crowd: Crowd) -> Future[Embedded]:
    """Occupy the model with one passage; what is submitted now waits."""
    future = queue.submit("first", "document", "backlog")
    crowd.wait_for("first")
    return future


@pytest.fixture
def wide(crowd: Crowd) -> Iterator[EmbeddingQueue]:
    """A queue whose model takes two passages at once."""
    queue = EmbeddingQueue(lambda: FakeEmbedder(before=crowd, n_at_once=2))
    yield queue
    crowd.open()
    queue.close()


def test_what_is_urgent_comes_first_and_equals_keep_their_order(
    wide: EmbeddingQueue, crowd: Crowd
) -> None:
    for text in ("first", "second"):
        wide.submit(text, "document", "backlog")
    crowd.wait_for("first", "second")
    wide.submit("asked", "query", "query")
    crowd.wait_for("asked")
    order: list[Priority] = ["backlog", "saved", "hover", "query", "backlog", "query"]
    for number, priority in enumerate(order):
        wide.submit(f"{priority}{number}", "document", priority)
    expected = ["query3", "query5", "hover2", "saved1", "backlog0", "backlog4"]
    crowd.let_go("first")
    for coming in expected:
        crowd.wait_for(coming)
        crowd.let_go(coming)
        if coming == "hover2":
            crowd.let_go("asked")  # a passage waits until no more is in work than usual
    assert crowd.held[3:] == expected


def test_as_many_passages_as_the_model_takes_are_in_work_and_a_question_beside_them(
    wide: EmbeddingQueue, crowd: Crowd
) -> None:
    futures = [wide.submit(f"p{number}", "document", "backlog") for number in range(4)]
    crowd.wait_for("p0", "p1")
    futures.append(wide.submit("asked", "query", "query"))
    crowd.wait_for("asked")
    assert sorted(crowd.held) == ["asked", "p0", "p1"]
    assert wide.n_at_once == 2
    crowd.open()
    for future in futures:
        assert future.result(WAIT)
    assert wide.n_embedded == 5


def test_a_text_in_work_is_not_embedded_beside_itself(wide: EmbeddingQueue, crowd: Crowd) -> None:
    twins = [wide.submit("same", "document", "backlog") for _ in range(2)]
    other = wide.submit("other", "document", "backlog")
    crowd.wait_for("same", "other")
    crowd.open()
    assert twins[0].result(WAIT) == twins[1].result(WAIT)
    assert other.result(WAIT)
    assert sorted(crowd.held) == ["other", "same"]


def test_all_who_wait_for_a_text_learn_that_the_model_failed_at_it() -> None:
    crowd = Crowd()

    def choke(text: str) -> None:
        crowd(text)
        if text == "bad":
            raise RuntimeError("choked")

    queue = EmbeddingQueue(lambda: FakeEmbedder(before=choke, n_at_once=2))
    twins = [queue.submit("bad", "document", "backlog") for _ in range(2)]
    good = queue.submit("good", "document", "backlog")
    crowd.wait_for("bad", "good")
    crowd.open()
    for twin in twins:
        with pytest.raises(RuntimeError, match="choked"):
            twin.result(WAIT)
    assert good.result(WAIT)
    queue.close()


def test_hovers_cancelled_before_their_turn_never_run(
    queue: EmbeddingQueue, model: FakeEmbedder, crowd: Crowd
) -> None:
    first = hold(queue, crowd)
    asked = queue.submit("asked", "query", "query")
    crowd.wait_for("asked")  # it has the place beside the passages: a hover waits
    tokens = [CancelToken() for _ in range(30)]
    hovers = [queue.submit(f"h{n}", "document", "hover", t) for n, t in enumerate(tokens)]
    for token in tokens[:15]:
        token.cancel()
    for future in hovers[15:]:
        future.cancel()
    last = queue.submit("last", "document", "backlog")
    crowd.open()
    for future in (first, asked, last):
        assert future.result(WAIT)
    assert sorted(model.embedded) == ["asked", "first", "last"]
    assert queue.n_embedded == 3
    for future in hovers:
        with pytest.raises(CancelledError):
            future.result(WAIT)


def test_a_question_asked_again_is_answered_from_memory(
    queue: EmbeddingQueue, model: FakeEmbedder, crowd: Crowd
) -> None:
    crowd.open()
    once = queue.submit("what is it", "query", "query").result(WAIT)
    again = queue.submit("what is it", "query", "query")
    assert again.done()
    assert again.result(WAIT) == once
    assert model.embedded == ["what is it"]


def test_memory_of_questions_is_bounded(
    queue: EmbeddingQueue, model: FakeEmbedder, crowd: Crowd
) -> None:
    crowd.open()
    for number in range(200):
        queue.submit(str(number), "query", "query").result(WAIT)
    queue.submit("0", "query", "query").result(WAIT)
    assert model.embedded.count("0") == 2


def test_a_text_the_model_chokes_on_fails_alone() -> None:
    def choke(text: str) -> None:
        if text == "bad":
            raise RuntimeError("choked")

    queue = EmbeddingQueue(lambda: FakeEmbedder(before=choke))
    bad = queue.submit("bad", "document", "saved")
    good = queue.submit("good", "document", "saved")
    assert good.result(WAIT)
    with pytest.raises(RuntimeError, match="choked"):
        bad.result(WAIT)
    queue.close()


def test_close_ends_with_the_passage_in_work_and_fails_the_rest(
    queue: EmbeddingQueue, model: FakeEmbedder, crowd: Crowd
) -> None:
    first = hold(queue, crowd)
    waiting = [queue.submit(str(number), "document", "backlog") for number in range(50)]
    closer = threading.Thread(target=queue.close)
    closer.start()
    for future in waiting:
        with pytest.raises(ModelUnavailable, match="closing"):
            future.result(WAIT)
    crowd.open()
    closer.join(WAIT)
    assert not closer.is_alive()
    assert first.result(WAIT)
    assert model.embedded == ["first"]
    late = queue.submit("late", "query", "query")
    assert isinstance(late.exception(WAIT), ModelUnavailable)


def test_close_before_the_model_was_ever_needed() -> None:
    queue = EmbeddingQueue(FakeEmbedder)
    queue.close()
    queue.close()
