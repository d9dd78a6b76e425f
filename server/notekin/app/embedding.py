"""The threads that run the model, and the queue in front of them.

Each embeds one text at a time. As many are in work at once as the model says, and one more where a
person asks, so that a query waits for no passage unless a hover took that place. What was cancelled
before its turn is never started.
"""

import heapq
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from typing import Literal

from attrs import define, field

from notekin.app.answers import Answers, Embedded, Text
from notekin.app.cancel import CancelToken
from notekin.app.errors import ModelUnavailable, NotekinError
from notekin.app.ports import Embedder, ModelInfo, Role

_log = logging.getLogger(__name__)

Priority = Literal["query", "hover", "saved", "backlog"]
ModelState = Literal["unloaded", "loading", "ready", "failed"]

_ORDER: dict[Priority, int] = {"query": 0, "hover": 1, "saved": 2, "backlog": 3}

# How long `close` waits for a model that is being loaded, in seconds.
_LOAD_PATIENCE = 2.0

_CLOSING = "Notekin is closing: nothing more is embedded."


@define(order=True)
class _Job:
    order: int
    number: int
    text: str = field(order=False)
    role: Role = field(order=False)
    future: Future[Embedded] = field(order=False)
    token: CancelToken | None = field(order=False)
    only_by: str = field(order=False)

    @property
    def is_asked(self) -> bool:
        """Whether a person waits for it."""
        return self.order <= _ORDER["hover"]


class EmbeddingQueue:
    """Loads a model when it is first needed, and embeds by priority. Thread-safe.

    `load` is called on one of the queue's own threads and raises `ModelUnavailable`. After a failed
    load everything fails with its sentence until `reload`.
    """

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self._load = load
        self._changed = threading.Condition()
        self._jobs: list[_Job] = []
        self._numbers = count()
        self._answers = Answers()
        self._n_in_work = 0
        self._embedder: Embedder | None = None
        self._state: ModelState = "unloaded"
        self._problem = ""
        self._wanted = False
        self._loading = False
        self._closing = False
        self._n_embedded = 0
        self._listeners: list[Callable[[], None]] = []
        self._threads: list[threading.Thread] = []
        self._have_threads(1)

    @property
    def state(self) -> ModelState:
        """Where the model is; "failed" comes with a `problem`."""
        return self._state

    @property
    def info(self) -> ModelInfo | None:
        """The loaded model, None while there is none."""
        embedder = self._embedder
        return embedder.info if embedder else None

    @property
    def problem(self) -> str:
        """Why the model could not be loaded, else ""."""
        return self._problem

    @property
    def n_at_once(self) -> int:
        """How many passages are embedded at the same time."""
        embedder = self._embedder
        return embedder.n_at_once if embedder else 1

    @property
    def n_embedded(self) -> int:
        """How many texts the model has run on since the start."""
        return self._n_embedded

    def on_settled(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` on a thread of the queue after every load, also one that failed; at once
        if one is over. Return what ends that.
        """
        with self._changed:
            self._listeners.append(callback)
            settled = self._state in ("ready", "failed")
        if settled:
            callback()
        return lambda: self._forget(callback)

    def warm(self) -> None:
        """Load the model now, so that the first query need not wait for it."""
        with self._changed:
            self._wanted = True
            self._changed.notify()

    def reload(self, load: Callable[[], Embedder] | None = None) -> None:
        """Load again, after a failure or with another model; what waits is embedded by it.

        A model that nobody has needed so far is loaded when it is needed.
        """
        with self._changed:
            self._load = load or self._load
            self._wanted = self._wanted or self._state != "unloaded"
            self._embedder = None
            self._state, self._problem = "unloaded", ""
            self._answers.forget()
            self._changed.notify()

    def submit(
        self,
        text: str,
        role: Role,
        priority: Priority,
        token: CancelToken | None = None,
        *,
        only_by: str = "",
    ) -> Future[Embedded]:
        """Return a future of the vectors of `text`, by the model loaded when its turn comes.

        Cancel the future or the token, and the text is not embedded unless it already is being.
        With the fingerprint `only_by` the future is cancelled when another model is loaded by then.
        It fails with `ModelUnavailable` when there is no model, and with whatever the
        model raises for the text.
        """
        future: Future[Embedded] = Future()
        with self._changed:
            refusal = self._refusal()
            known = self._known(text, role)
            if not refusal and known is None:
                job = _Job(
                    _ORDER[priority], next(self._numbers), text, role, future, token, only_by
                )
                heapq.heappush(self._jobs, job)
                self._changed.notify()
        if refusal:
            future.set_exception(ModelUnavailable(refusal))
        elif known is not None:
            future.set_result(known)
        return future

    def _known(self, text: str, role: Role) -> Embedded | None:
        embedder = self._embedder
        if embedder is None:
            return None
        return self._answers.remembered(Text(embedder.info.fingerprint, role, text))

    def close(self) -> None:
        """Stop after the passages in work; what waits fails with `ModelUnavailable`."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            threads = tuple(self._threads)
        self._fail_all(_CLOSING)
        for thread in threads:
            # A load cannot be interrupted and may be a download; the threads are daemons.
            thread.join(_LOAD_PATIENCE if self._loading else None)

    def _refusal(self) -> str:
        return _CLOSING if self._closing else self._problem

    def _have_threads(self, n_threads: int) -> None:
        for number in range(len(self._threads) + 1, n_threads + 1):
            name = f"notekin-embedding-{number}"
            thread = threading.Thread(target=self._run, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _run(self) -> None:
        while self._serve():
            pass

    def _serve(self) -> bool:
        """Do what comes next; return whether more may come. Who waits holds no model and no text:
        a model that another one replaced is to leave the memory.
        """
        with self._changed:
            self._changed.wait_for(self._has_work)
            if self._closing:
                return False
            embedder = self._embedder
            job = heapq.heappop(self._jobs) if embedder else None
            self._loading = embedder is None
            self._n_in_work += job is not None
        if embedder is None or job is None:
            self._try_to_load()
            return True
        self._embed(embedder, job)
        with self._changed:
            self._n_in_work -= 1
        return True

    def _has_work(self) -> bool:
        if self._embedder is None:
            return self._closing or (not self._loading and (self._wanted or bool(self._jobs)))
        return self._closing or self._may_begin()

    def _may_begin(self) -> bool:
        """Whether what comes next may be begun: one more than usual where a person waits for it,
        and the processors are its own as soon as the passages in work are through. Who ends a text
        looks for the next itself.
        """
        if not self._jobs:
            return False
        return self._n_in_work < self.n_at_once + self._jobs[0].is_asked

    def _try_to_load(self) -> None:
        with self._changed:
            load = self._load
            self._wanted = False
            self._state = "loading"
        try:
            embedder = load()
        except NotekinError as error:
            self._loading_failed(str(error))
        except Exception as error:  # noqa: BLE001  # the thread must outlive any library's fault
            self._loading_failed(f"The embedding model cannot be loaded: {error!r}")
        else:
            self._loaded(embedder, load)

    def _loaded(self, embedder: Embedder, load: Callable[[], Embedder]) -> None:
        with self._changed:
            self._loading = False
            if load is not self._load:
                return  # another model was asked for meanwhile: the loop loads that one
            self._embedder, self._state = embedder, "ready"
        self._tell()
        with self._changed:
            if not self._closing:
                self._have_threads(embedder.n_at_once + 1)
            self._changed.notify_all()

    def _loading_failed(self, problem: str) -> None:
        with self._changed:
            self._loading = False
            if self._wanted:
                return  # `reload` was called meanwhile: try again before failing anything
            self._state, self._problem = "failed", problem
        self._fail_all(problem)
        self._tell()

    def _forget(self, callback: Callable[[], None]) -> None:
        with self._changed:
            self._listeners = [each for each in self._listeners if each != callback]

    def _tell(self) -> None:
        with self._changed:
            listeners = list(self._listeners)
        for listener in listeners:
            try:
                listener()
            except Exception:  # noqa: BLE001  # the thread must outlive a listener's fault too
                _log.exception("A listener failed when the model was loaded.")

    def _fail_all(self, problem: str) -> None:
        with self._changed:
            jobs, self._jobs = self._jobs, []
        for job in jobs:
            if job.future.set_running_or_notify_cancel():
                job.future.set_exception(ModelUnavailable(problem))

    def _embed(self, embedder: Embedder, job: _Job) -> None:
        is_taken_back = job.token is not None and job.token.cancelled
        if is_taken_back or job.only_by not in ("", embedder.info.fingerprint):
            job.future.cancel()
        if not job.future.set_running_or_notify_cancel():
            return
        text = Text(embedder.info.fingerprint, job.role, job.text)
        with self._changed:
            recent = self._answers.recent(text)
            # Whoever is at the text already answers this one too.
            is_first = recent is None and self._answers.begin(text, job.future)
        if recent is not None:
            job.future.set_result(recent)
        elif is_first:
            self._answer(embedder, text, job)

    def _answer(self, embedder: Embedder, text: Text, job: _Job) -> None:
        try:
            answer = Embedded(embedder.info, embedder.embed(job.text, job.role))
        except Exception as error:  # noqa: BLE001  # it belongs to those who asked
            with self._changed:
                waiting = self._answers.end(text)
            for future in waiting:
                future.set_exception(error)
            return
        with self._changed:
            self._n_embedded += 1
            self._answers.keep(text, answer)
            if job.is_asked:
                self._answers.remember(text, answer)
            waiting = self._answers.end(text)
        for future in waiting:
            future.set_result(answer)
