"""From passages without a vector to vectors in the index.

The backlog itself is a query, not a list: whatever has no vector waits, also after a crash.
This keeps the embedding thread supplied with a few passages at a time and collects what it
returns. It belongs to the indexer's thread; only `_arrive` is called from another.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final

from notekin.app.cancel import CancelToken
from notekin.app.embedding import EmbeddingQueue, Priority
from notekin.app.errors import ModelUnavailable
from notekin.app.ports import IndexWriter, ModelInfo, PendingPassage
from notekin.core.vectors import Vector

# Two in flight keep the embedding thread busy; more would only delay a stop.
_N_IN_FLIGHT: Final = 3
_N_FETCHED: Final = 64
# Vectors are written together: a transaction costs as much as a tenth of a passage.
_N_WRITTEN_TOGETHER: Final = 16


class Backlog:
    """Feeds passages to the embedding thread and writes what comes back."""

    def __init__(self, queue: EmbeddingQueue, wake: Callable[[], None]) -> None:
        self._queue = queue
        self._wake = wake
        self._lock = threading.Lock()
        self._arrived: dict[bytes, Sequence[Vector]] = {}
        self._in_flight: dict[bytes, Priority] = {}
        self._fetched: deque[PendingPassage] = deque()
        self._unembeddable: dict[bytes, str] = {}
        self._adopted: ModelInfo | None = None
        self._hurried = False
        self._token = CancelToken()
        self.current = ""
        self.problem = ""

    @property
    def unembeddable(self) -> Sequence[str]:
        """Notes with passages that the model refused; they are tried again after `retry`."""
        with self._lock:
            return sorted(set(self._unembeddable.values()))

    def adopt(self, writer: IndexWriter) -> None:
        """Tell the index which model its vectors come from, once a load."""
        info = self._queue.info
        if info is not None and info is not self._adopted:
            writer.set_model(info)
            self._adopted = info
            self._fetched.clear()

    def hurry(self, writer: IndexWriter, paths: Sequence[str]) -> None:
        """Embed the passages of just saved notes before all others."""
        for passage in writer.pending(paths, _N_FETCHED):
            if passage.path in paths:
                self._submit(passage, "saved")

    def feed(self, writer: IndexWriter, first: Sequence[str]) -> bool:
        """Submit passages until enough are in flight; return whether any was."""
        fed = False
        while len(self._in_flight) < _N_IN_FLIGHT:
            passage = self._next(writer, first)
            if passage is None:
                break
            fed = self._submit(passage, "backlog") or fed
        return fed

    def due(self) -> bool:
        """Return whether vectors should be written now."""
        with self._lock:
            if not self._arrived:
                return False
            return self._hurried or len(self._arrived) >= _N_WRITTEN_TOGETHER or not self._in_flight

    def write(self, writer: IndexWriter) -> int:
        """Store what has arrived; return how many passages got their vectors."""
        with self._lock:
            arrived, self._arrived = self._arrived, {}
            self._hurried = False
        if not arrived:
            return 0
        self.adopt(writer)
        return writer.put_vectors(arrived)

    def forget_fetched(self) -> None:
        """Ask the index again before the next passage: notes changed."""
        self._fetched.clear()

    def stop(self) -> None:
        """Take back what the embedding thread has not started."""
        token, self._token = self._token, CancelToken()
        token.cancel()
        self._fetched.clear()

    def retry(self) -> None:
        """Forget why passages could not be embedded, so that they are tried again."""
        self.problem = ""
        self._unembeddable.clear()

    def _next(self, writer: IndexWriter, first: Sequence[str]) -> PendingPassage | None:
        while True:
            if not self._fetched:
                n_taken = len(self._in_flight) + len(self._unembeddable)
                waiting = writer.pending(first, _N_FETCHED + n_taken)
                self._fetched.extend(p for p in waiting if not self._taken(p.hash))
                if not self._fetched:
                    return None
            passage = self._fetched.popleft()
            if not self._taken(passage.hash):
                return passage

    def _taken(self, key: bytes) -> bool:
        with self._lock:
            return key in self._in_flight or key in self._arrived or key in self._unembeddable

    def _submit(self, passage: PendingPassage, priority: Priority) -> bool:
        with self._lock:
            known = self._in_flight.get(passage.hash)
            if passage.hash in self._arrived or known in (priority, "saved"):
                return False
            self._in_flight[passage.hash] = priority
        if priority == "backlog":
            self.current = passage.path
        future = self._queue.submit(passage.embedded, "document", priority, self._token)
        future.add_done_callback(lambda done: self._arrive(passage, done))
        return True

    def _arrive(self, passage: PendingPassage, future: Future[Sequence[Vector]]) -> None:
        key = passage.hash
        with self._lock:
            priority = self._in_flight.pop(key, None)
            if not future.cancelled():
                error = future.exception()
                if error is None:
                    self._arrived[key] = future.result()
                    self._hurried = self._hurried or priority == "saved"
                elif isinstance(error, ModelUnavailable):
                    self.problem = str(error)
                else:
                    self._unembeddable[key] = passage.path
        self._wake()
