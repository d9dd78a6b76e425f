"""The one thread that runs the model, and the queue in front of it.

Passages are embedded one at a time, so that a query waits for one passage at most. What was
cancelled before its turn is never started.
"""

import heapq
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from itertools import count
from typing import Literal

from attrs import define, field, frozen

from notekin.app.cancel import CancelToken
from notekin.app.errors import ModelUnavailable, NotekinError
from notekin.app.ports import Embedder, ModelInfo, Role
from notekin.core.vectors import Vector

_log = logging.getLogger(__name__)

Priority = Literal["query", "hover", "saved", "backlog"]
ModelState = Literal["unloaded", "loading", "ready", "failed"]

_ORDER: dict[Priority, int] = {"query": 0, "hover": 1, "saved": 2, "backlog": 3}

# What a person asks is often asked again: a word more typed and taken back, the same paragraph
# hovered twice. A few hundred kilobytes remember it.
_N_REMEMBERED = 128
# Vaults that hold the same and are indexed at the same time ask for the same passages shortly
# after each other, before one can lend them to the other.
_N_RECENT = 32

# How long `close` waits for a model that is being loaded, in seconds.
_LOAD_PATIENCE = 2.0

_CLOSING = "Notekin is closing: nothing more is embedded."


@frozen
class Embedded:
    """The vectors of one text, with the model that made them: they must never meet another's."""

    model: ModelInfo
    vectors: Sequence[Vector]


@define(order=True)
class _Job:
    order: int
    number: int
    text: str = field(order=False)
    role: Role = field(order=False)
    future: Future[Embedded] = field(order=False)
    token: CancelToken | None = field(order=False)
    only_by: str = field(order=False)


class EmbeddingQueue:
    """Loads a model when it is first needed, and embeds by priority. Thread-safe.

    `load` is called on the queue's own thread and raises `ModelUnavailable`. After a failed load
    everything fails with its sentence until `reload`.
    """

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self._load = load
        self._changed = threading.Condition()
        self._jobs: list[_Job] = []
        self._numbers = count()
        self._remembered: OrderedDict[tuple[Role, str], Embedded] = OrderedDict()
        self._recent: OrderedDict[tuple[Role, str], Embedded] = OrderedDict()
        self._embedder: Embedder | None = None
        self._state: ModelState = "unloaded"
        self._problem = ""
        self._wanted = False
        self._closing = False
        self._n_embedded = 0
        self._listeners: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self._run, name="notekin-embedding", daemon=True)
        self._thread.start()

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
    def n_embedded(self) -> int:
        """How many texts the model has run on since the start."""
        return self._n_embedded

    def on_settled(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` on the queue's thread after every load, also one that failed; at once if
        one is over. Return what ends that.
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
            self._remembered.clear()
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
            known = self._remembered.get((role, text))
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

    def close(self) -> None:
        """Stop after the passage in work; what waits fails with `ModelUnavailable`."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._fail_all(_CLOSING)
        # A load cannot be interrupted and may be a download; the thread is a daemon.
        self._thread.join(_LOAD_PATIENCE if self._state == "loading" else None)

    def _refusal(self) -> str:
        return _CLOSING if self._closing else self._problem

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(self._has_work)
                if self._closing:
                    return
                embedder = self._embedder
                job = heapq.heappop(self._jobs) if embedder and self._jobs else None
            if embedder is None:
                self._try_to_load()
            elif job is not None:
                self._embed(embedder, job)

    def _has_work(self) -> bool:
        if self._embedder is None:
            return self._closing or self._wanted or bool(self._jobs)
        return self._closing or bool(self._jobs)

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
            if load is not self._load:
                return  # another model was asked for meanwhile: the loop loads that one
            self._embedder, self._state = embedder, "ready"
        self._tell()

    def _loading_failed(self, problem: str) -> None:
        with self._changed:
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
        recent = self._recent.get((job.role, job.text))
        if recent is not None and recent.model == embedder.info:
            job.future.set_result(recent)
            return
        try:
            embedded = Embedded(embedder.info, embedder.embed(job.text, job.role))
        except Exception as error:  # noqa: BLE001  # it belongs to the one who asked
            job.future.set_exception(error)
            return
        with self._changed:
            self._n_embedded += 1
            if embedder is self._embedder and job.order <= _ORDER["hover"]:
                self._remember(job, embedded)
        self._recent[job.role, job.text] = embedded
        if len(self._recent) > _N_RECENT:
            self._recent.popitem(last=False)
        job.future.set_result(embedded)

    def _remember(self, job: _Job, embedded: Embedded) -> None:
        self._remembered[job.role, job.text] = embedded
        if len(self._remembered) > _N_REMEMBERED:
            self._remembered.popitem(last=False)
