"""From passages without a vector to vectors in the index.

The backlog itself is a query, not a list: whatever has no vector waits, also after a crash.
This keeps the embedding threads supplied with a few passages at a time and collects what they
return. It belongs to the indexer's thread, but for `halt`, `halt_saves`, `retry`,
`close` and `_arrive`.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Final

from notekin.app.answers import Embedded
from notekin.app.borrowing import Borrower
from notekin.app.cancel import CancelToken
from notekin.app.embedding import EmbeddingQueue, Priority
from notekin.app.errors import ModelUnavailable
from notekin.app.ports import IndexWriter, ModelInfo, PendingPassage

# A few more than are embedded at once keep the embedding threads busy; more would only delay a
# stop.
_N_WAITING: Final = 2
# To ask a closed index takes two milliseconds, of many passages as of one.
_N_FETCHED: Final = 256
# Vectors are written together: a transaction costs as much as a tenth of a passage.
_N_WRITTEN_TOGETHER: Final = 16
# But none waits longer than this, in seconds: what is lost with the process is embedded again.
_LONGEST_UNWRITTEN: Final = 0.25


class Backlog:
    """Feeds passages to the embedding threads and writes what comes back."""

    def __init__(
        self, queue: EmbeddingQueue, wake: Callable[[], None], borrower: Borrower | None = None
    ) -> None:
        self._queue = queue
        self._borrower = borrower or Borrower()
        self._wake = wake
        self._lock = threading.Lock()
        self._arrived: dict[bytes, Embedded] = {}
        self._in_flight: dict[bytes, Priority] = {}
        self._fetched: deque[PendingPassage] = deque()
        self._refused: dict[bytes, tuple[str, str]] = {}
        self._adopted: ModelInfo | None = None
        self._hurried = False
        self._oldest = 0.0
        self._problem = ""
        self._halting = CancelToken()
        self._saving = CancelToken()
        self._closed = False
        self.current = ""

    @property
    def problem(self) -> str:
        """Why there is no model, else ""."""
        return self._problem or self._queue.problem

    @property
    def refused(self) -> Mapping[str, str]:
        """Notes with a passage that the model failed at, and how; `retry` tries them again."""
        with self._lock:
            return dict(sorted(self._refused.values()))

    @property
    def busy(self) -> bool:
        """Whether any passage is being embedded or waits to be written."""
        with self._lock:
            return bool(self._in_flight or self._arrived)

    @property
    def _model(self) -> str:
        """The fingerprint of the model that the index was told of, "" before that."""
        return self._adopted.fingerprint if self._adopted else ""

    def begin(self) -> None:
        """Forget what was known of the index: another writer was opened on it."""
        self._adopted = None
        self._fetched.clear()

    def adopt(self, writer: IndexWriter) -> None:
        """Tell the index which model its vectors come from, once a load."""
        info = self._queue.info
        if info is not None and info is not self._adopted:
            writer.set_model(info)
            self._adopted = info
            self._problem = ""
            self._fetched.clear()
            self._borrower.rest()
            with self._lock:
                self._refused.clear()  # by another model

    def hurry(self, writer: IndexWriter, paths: Sequence[str]) -> None:
        """Embed the passages of just saved notes before all others."""
        token = self._saving
        for passage in self._pending_of(writer, paths):
            if self.problem:
                return
            self._submit(passage, "saved", token)

    def feed(self, writer: IndexWriter, first: Sequence[str]) -> bool:
        """Submit passages until enough are in flight; return whether any was.

        No more than that at once, however fast the model is: what has arrived is to be written.
        """
        fed = False
        for _ in range(self._queue.n_at_once + _N_WAITING - len(self._in_flight)):
            passage = None if self.problem else self._next(writer, first)
            if passage is None:
                break
            self.current = passage.path
            fed = self._submit(passage, "backlog", self._halting) or fed
        return fed

    def due_in(self) -> float | None:
        """Return in how many seconds vectors are to be written, None while there are none."""
        with self._lock:
            if not self._arrived:
                return None
            many = len(self._arrived) >= _N_WRITTEN_TOGETHER
            if self._hurried or many or not self._in_flight:
                return 0.0
            return max(0.0, self._oldest + _LONGEST_UNWRITTEN - time.monotonic())

    def write(self, writer: IndexWriter) -> int:
        """Store what has arrived; return how many passages got their vectors.

        What another model made is dropped: its passages wait again.
        """
        with self._lock:
            arrived, self._arrived = self._arrived, {}
            self._hurried = False
        if not arrived:
            return 0
        self.adopt(writer)
        made = {
            key: each.vectors
            for key, each in arrived.items()
            if each.model.fingerprint == self._model
        }
        return writer.put_vectors(made) if made else 0

    def finish(self, writer: IndexWriter) -> bool:
        """Have another model served though it refuses some passages, where nothing else waits for
        it; return whether that was to be done.

        A model that refuses more than it takes is broken: then the old vectors are kept.
        """
        if not self.refused or self.busy or self.problem or self._halting.cancelled:
            return False
        counts = writer.counts()
        return 2 * counts.n_passages_pending < counts.n_passages and writer.serve_built()

    def forget_fetched(self) -> None:
        """Ask the index again before the next passage: notes changed."""
        self._fetched.clear()

    def halt(self) -> None:
        """Take back what the embedding threads have not started, but for saved notes."""
        self._halting.cancel()

    def halt_saves(self) -> None:
        """Take back what was saved so far; what is saved from now on is embedded all the same."""
        with self._lock:
            saving = self._saving
            if not self._closed:
                self._saving = CancelToken()
        saving.cancel()

    def close(self) -> None:
        """Take everything back."""
        self._closed = True
        self.halt()
        self.halt_saves()

    def retry(self) -> None:
        """Go on after `halt`, and try again what failed."""
        with self._lock:
            self._problem = ""
            self._refused.clear()
            if not self._closed:
                self._halting = CancelToken()

    def _pending_of(self, writer: IndexWriter, paths: Sequence[str]) -> Sequence[PendingPassage]:
        limit = _N_FETCHED
        while True:
            waiting = self._waiting(writer, paths, limit)
            found = [passage for passage in waiting if passage.path in paths]
            if len(found) < limit:
                return found
            limit *= 2

    def _next(self, writer: IndexWriter, first: Sequence[str]) -> PendingPassage | None:
        if self._fetched and self._borrower.has_news:
            self._fetched.clear()
        if not self._fetched:
            self._fetch(writer, first)
        while self._fetched:
            passage = self._fetched.popleft()
            if not self._taken(passage.hash):
                return passage
        return None

    def _fetch(self, writer: IndexWriter, first: Sequence[str]) -> None:
        limit = _N_FETCHED
        while True:
            waiting = self._waiting(writer, first, limit)
            self._fetched.extend(p for p in waiting if not self._taken(p.hash))
            if self._fetched or len(waiting) < limit:
                return
            # All of them are being embedded or were refused: the others stand further back.
            limit *= 2

    def _waiting(
        self, writer: IndexWriter, first: Sequence[str], limit: int
    ) -> Sequence[PendingPassage]:
        """Return passages to be embedded: those that no other vault has the vectors of.

        What fits, only the loaded model tells, so nothing is begun before that.
        """
        waiting = writer.pending(first, limit)
        if waiting and self._adopted is None and self._borrower.has_lenders:
            self._queue.warm()
            return ()
        while waiting and self._adopted is not None:
            lent = self._borrower.borrow({each.hash for each in waiting}, self._adopted)
            if not lent:
                break
            writer.put_vectors(lent)
            waiting = writer.pending(first, limit)
        if not waiting:
            self._borrower.rest()
        return waiting

    def _taken(self, key: bytes) -> bool:
        with self._lock:
            return key in self._in_flight or key in self._arrived or key in self._refused

    def _submit(self, passage: PendingPassage, priority: Priority, token: CancelToken) -> bool:
        key = passage.hash
        with self._lock:
            if key in self._arrived or key in self._in_flight:
                if key in self._in_flight and priority == "saved":
                    self._in_flight[key] = priority
                return False
            self._in_flight[key] = priority
        # Whoever goes back to a model that has the vectors already pays for none of what waits.
        only_by = self._model
        future = self._queue.submit(passage.embedded, "document", priority, token, only_by=only_by)
        future.add_done_callback(lambda done: self._arrive(passage, only_by, done))
        return True

    def _arrive(self, passage: PendingPassage, only_by: str, future: Future[Embedded]) -> None:
        key = passage.hash
        with self._lock:
            priority = self._in_flight.pop(key, None)
            if not future.cancelled():
                error = future.exception()
                if error is None:
                    self._oldest = self._oldest if self._arrived else time.monotonic()
                    self._arrived[key] = future.result()
                    self._hurried = self._hurried or priority == "saved"
                elif isinstance(error, ModelUnavailable):
                    self._problem = str(error)
                elif only_by in ("", self._model):  # else it was not the model of now that refused
                    self._refused[key] = passage.path, type(error).__name__
        self._wake()
