"""The embedding queue: order, cancellation, loading and closing, with the fake model."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from weakref import finalize

import pytest

from notekin.app.answers import Embedded
from notekin.app.cancel import CancelToken
from notekin.app.embedding import EmbeddingQueue, Priority
from notekin.app.errors import ModelUnavailable
from support.fake_embedder import FakeEmbedder

WAIT = 10.0  # seconds until a test gives up; nothing here takes long


class Gate:
    """Holds the model inside its first text until it is opened."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self._open = threading.Event()

    def __call__(self, _text: str) -> None:
        self.entered.set()
        assert self._open.wait(WAIT)

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def model(gate: Gate) -> FakeEmbedder:
    return FakeEmbedder(before=gate)


@pytest.fixture
def queue(model: FakeEmbedder, gate: Gate) -> Iterator[EmbeddingQueue]:
    queue = EmbeddingQueue(lambda: model)
    yield queue
    gate.open()
    queue.close()


def hold(queue: EmbeddingQueue, gate: Gate) -> Future[Embedded]:
    """Occupy the model with one passage; what is submitted now waits."""
    future = queue.submit("first", "document", "backlog")
    assert gate.entered.wait(WAIT)
    return future


class Crowd:
    """Holds the model inside of every text until that is let go; lists those that came."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_open = False
        self._free: set[str] = set()
        self.held: list[str] = []

    def __call__(self, text: str) -> None:
        with self._changed:
            self.held.append(text)
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self._is_open or text in self._free, WAIT)

    def let_go(self, text: str) -> None:
        with self._changed:
            self._free.add(text)
            self._changed.notify_all()

    def wait_for(self, *texts: str) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: set(texts) <= set(self.held), WAIT)

    def open(self) -> None:
        with self._changed:
            self._is_open = True
            self._changed.notify_all()


@pytest.fixture
def crowd() -> Crowd:
    return Crowd()


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
    queue: EmbeddingQueue, model: FakeEmbedder, gate: Gate
) -> None:
    first = hold(queue, gate)
    tokens = [CancelToken() for _ in range(30)]
    hovers = [queue.submit(f"h{n}", "document", "hover", t) for n, t in enumerate(tokens)]
    for token in tokens[:15]:
        token.cancel()
    for future in hovers[15:]:
        future.cancel()
    last = queue.submit("last", "document", "backlog")
    gate.open()
    first.result(WAIT)
    last.result(WAIT)
    assert model.embedded == ["first", "last"]
    assert queue.n_embedded == 2
    for future in hovers:
        with pytest.raises(CancelledError):
            future.result(WAIT)


def test_a_question_asked_again_is_answered_from_memory(
    queue: EmbeddingQueue, model: FakeEmbedder, gate: Gate
) -> None:
    gate.open()
    once = queue.submit("what is it", "query", "query").result(WAIT)
    again = queue.submit("what is it", "query", "query")
    assert again.done()
    assert again.result(WAIT) == once
    assert model.embedded == ["what is it"]


def test_memory_of_questions_is_bounded(
    queue: EmbeddingQueue, model: FakeEmbedder, gate: Gate
) -> None:
    gate.open()
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


def test_the_model_is_loaded_on_first_need_and_on_the_queues_thread() -> None:
    loaded_in: list[str] = []

    def load() -> FakeEmbedder:
        loaded_in.append(threading.current_thread().name)
        return FakeEmbedder()

    queue = EmbeddingQueue(load)
    ready = threading.Event()
    queue.on_settled(ready.set)
    assert (queue.state, queue.info, loaded_in) == ("unloaded", None, [])
    queue.warm()
    assert ready.wait(WAIT)
    assert queue.state == "ready"
    assert queue.info is not None
    assert loaded_in == ["notekin-embedding-1"]
    late = threading.Event()
    queue.on_settled(late.set)
    assert late.is_set()
    queue.close()


def test_who_listens_no_more_is_told_nothing() -> None:
    queue = EmbeddingQueue(FakeEmbedder)
    told, ready = threading.Event(), threading.Event()
    forget = queue.on_settled(told.set)
    forget()
    forget()
    queue.on_settled(ready.set)
    queue.warm()
    assert ready.wait(WAIT)
    assert not told.is_set()
    queue.close()


def test_a_load_that_failed_is_told_as_well() -> None:
    def load() -> FakeEmbedder:
        raise ModelUnavailable("Choose another model.")

    queue = EmbeddingQueue(load)
    told = [threading.Event(), threading.Event()]
    queue.on_settled(told[0].set)
    queue.warm()
    assert told[0].wait(WAIT)
    assert (queue.state, queue.problem) == ("failed", "Choose another model.")
    queue.on_settled(told[1].set)
    assert told[1].is_set()
    queue.close()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ModelUnavailable("Put the model back."), "Put the model back."),
        (OSError("broken"), "The embedding model cannot be loaded: OSError('broken')"),
    ],
)
def test_a_failed_load_fails_what_waits_until_reload(error: Exception, sentence: str) -> None:
    loads: list[Callable[[], FakeEmbedder]] = []

    def load() -> FakeEmbedder:
        loads.append(load)
        raise error

    queue = EmbeddingQueue(load)
    with pytest.raises(ModelUnavailable) as caught:
        queue.submit("a", "document", "backlog").result(WAIT)
    assert str(caught.value) == sentence
    assert (queue.state, queue.problem) == ("failed", sentence)
    refused = queue.submit("b", "document", "backlog")
    assert refused.done()
    assert isinstance(refused.exception(), ModelUnavailable)
    assert len(loads) == 1
    queue.reload(FakeEmbedder)
    assert queue.submit("c", "document", "backlog").result(WAIT)
    assert (queue.state, queue.problem) == ("ready", "")
    queue.close()


def test_reload_with_another_model_keeps_what_waits(
    queue: EmbeddingQueue, model: FakeEmbedder, gate: Gate
) -> None:
    first = hold(queue, gate)
    waiting = queue.submit("waiting", "document", "backlog")
    other = FakeEmbedder(name="other")
    queue.reload(lambda: other)
    gate.open()
    first.result(WAIT)
    waiting.result(WAIT)
    assert model.embedded == ["first"]
    assert other.embedded == ["waiting"]
    assert queue.info == other.info


def test_a_model_that_another_one_replaced_leaves_the_memory() -> None:
    crowd = Crowd()
    models = [FakeEmbedder(before=crowd, n_at_once=3)]
    gone = threading.Event()
    finalize(models[0], gone.set)
    queue = EmbeddingQueue(models.pop)
    futures = [queue.submit(text, "document", "backlog") for text in "abc"]
    crowd.wait_for("a", "b", "c")
    crowd.open()
    for future in futures:
        assert future.result(WAIT)
    queue.reload(FakeEmbedder)
    assert queue.submit("asked", "query", "query").result(WAIT)
    assert gone.wait(WAIT)
    queue.close()


def test_a_load_overtaken_by_another_model_is_dropped() -> None:
    gate = Gate()

    def slow() -> FakeEmbedder:
        gate("")
        return FakeEmbedder(name="slow")

    queue = EmbeddingQueue(slow)
    future = queue.submit("a", "document", "saved")
    assert gate.entered.wait(WAIT)
    queue.reload(lambda: FakeEmbedder(name="wanted"))
    gate.open()
    future.result(WAIT)
    assert queue.info is not None
    assert queue.info.name == "wanted"
    queue.close()


def test_a_listener_that_fails_does_not_stop_the_queue(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise ValueError("listener")

    queue = EmbeddingQueue(FakeEmbedder)
    queue.on_settled(fail)
    assert queue.submit("a", "document", "saved").result(WAIT)
    assert "listener failed" in caplog.text
    queue.close()


def test_close_ends_with_the_passage_in_work_and_fails_the_rest(
    queue: EmbeddingQueue, model: FakeEmbedder, gate: Gate
) -> None:
    first = hold(queue, gate)
    waiting = [queue.submit(str(number), "document", "backlog") for number in range(50)]
    closer = threading.Thread(target=queue.close)
    closer.start()
    for future in waiting:
        with pytest.raises(ModelUnavailable, match="closing"):
            future.result(WAIT)
    gate.open()
    closer.join(WAIT)
    assert not closer.is_alive()
    assert first.result(WAIT)
    assert model.embedded == ["first"]
    late = queue.submit("late", "query", "query")
    assert isinstance(late.exception(WAIT), ModelUnavailable)


def test_a_model_that_is_loaded_while_closing_starts_no_threads() -> None:
    gate = Gate()

    def load() -> FakeEmbedder:
        gate("")
        return FakeEmbedder(n_at_once=3)

    queue = EmbeddingQueue(load)
    waiting = queue.submit("a", "document", "backlog")
    assert gate.entered.wait(WAIT)
    closer = threading.Thread(target=queue.close)
    closer.start()
    assert isinstance(waiting.exception(WAIT), ModelUnavailable)
    gate.open()
    closer.join(WAIT)
    assert len(queue._threads) == 1  # pyright: ignore[reportPrivateUsage]


def test_close_before_the_model_was_ever_needed() -> None:
    queue = EmbeddingQueue(FakeEmbedder)
    queue.close()
    queue.close()
