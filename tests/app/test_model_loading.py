"""The embedding queue loads its model: when, again, another one, in vain, while it closes."""

import threading
from collections.abc import Callable
from weakref import finalize

import pytest

from notekin.app.embedding import EmbeddingQueue
from notekin.app.errors import ModelUnavailable
from support.crowd import Crowd
from support.fake_embedder import FakeEmbedder

WAIT = 10.0  # seconds until a test gives up; nothing here takes long


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


def test_reload_with_another_model_keeps_what_waits() -> None:
    crowd = Crowd()
    model = FakeEmbedder(before=crowd)
    queue = EmbeddingQueue(lambda: model)
    first = queue.submit("first", "document", "backlog")
    crowd.wait_for("first")
    waiting = queue.submit("waiting", "document", "backlog")
    other = FakeEmbedder(name="other")
    queue.reload(lambda: other)
    crowd.open()
    first.result(WAIT)
    waiting.result(WAIT)
    assert model.embedded == ["first"]
    assert other.embedded == ["waiting"]
    assert queue.info == other.info
    queue.close()


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
    crowd = Crowd()

    def slow() -> FakeEmbedder:
        crowd("loading")
        return FakeEmbedder(name="slow")

    queue = EmbeddingQueue(slow)
    future = queue.submit("a", "document", "saved")
    crowd.wait_for("loading")
    queue.reload(lambda: FakeEmbedder(name="wanted"))
    crowd.open()
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


def test_a_model_that_is_loaded_while_closing_starts_no_threads() -> None:
    crowd = Crowd()

    def load() -> FakeEmbedder:
        crowd("loading")
        return FakeEmbedder(n_at_once=3)

    queue = EmbeddingQueue(load)
    waiting = queue.submit("a", "document", "backlog")
    crowd.wait_for("loading")
    closer = threading.Thread(target=queue.close)
    closer.start()
    assert isinstance(waiting.exception(WAIT), ModelUnavailable)
    crowd.open()
    closer.join(WAIT)
    assert len(queue._threads) == 1  # pyright: ignore[reportPrivateUsage]
