"""One vault's indexer: a thread that owns the index's writer and keeps it in step.

What it does next, most urgent first: documents saved in the editor, changes reported from
outside, vectors that arrived, notes not yet read, and, when all words are findable, passages
without a vector. Faces call the public methods from any thread; each only records and wakes.
"""

import logging
import threading
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal

from notekin.app.backlog import Backlog
from notekin.app.cancel import CancelToken
from notekin.app.embedding import EmbeddingQueue
from notekin.app.errors import IndexUnusable, Unreadable
from notekin.app.ports import Files, FoundFile, Index, IndexWriter, Lock
from notekin.app.preparing import Preparer
from notekin.app.reporting import Reporter
from notekin.app.results import VaultStatus
from notekin.app.syncing import NoteSync, unchanged

log = logging.getLogger(__name__)

Until = Literal["words", "idle"]

# One step of reading: short, so that a save in the middle of a first index is served at once.
_STEP_SECONDS = 0.025
_STATUS_SECONDS = 0.05
_TAKEOVER_SECONDS = 1.0
_RULE_FILES = (".gitignore", ".notekinignore")


class Indexer:
    """Keeps one vault's index in step with its files. `start` returns at once."""

    def __init__(  # noqa: PLR0913 - the ports of one vault
        self,
        *,
        files: Files,
        index: Index,
        lock: Lock,
        embeddings: EmbeddingQueue,
        prepare: Preparer,
        model_name: str,
        on_change: Callable[[], None],
    ) -> None:
        self._files = files
        self._index = index
        self._lock = lock
        self._embeddings = embeddings
        self._prepare = prepare
        self._wakeup = threading.Condition()
        self._saves: dict[str, str] = {}
        self._looks: dict[str, bool] = {}
        self._scan: Literal["", "due", "forced"] = "due"
        self._open_paths: tuple[str, ...] = ()
        self._halted = ""
        self._stopping = False
        self._woken = False
        self._n_recorded = 0
        self._n_served = 0
        self._backlog = Backlog(embeddings, self._wake)
        self._report = Reporter(files.root, index, embeddings, model_name, self._published)
        embeddings.on_ready(self._wake)
        self._on_change = on_change
        self._thread = threading.Thread(target=self._run, name=f"indexer {files.root.name}")

    # --- called from any thread ----------------------------------------------------------

    @property
    def status(self) -> VaultStatus:
        return self._report.status

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop within one step and wait for it; the index is consistent at any moment."""
        self._stopping = True
        self._backlog.stop()
        self._wake()
        self._thread.join()

    def saved(self, path: str, text: str) -> None:
        """A document was saved with this text."""
        with self._wakeup:
            self._saves[path] = text
            self._record()

    def look(self, paths: Collection[str]) -> None:
        """These files or folders may have changed on disk."""
        with self._wakeup:
            for path in paths:
                self._looks.setdefault(path, False)
            self._record()

    def reindex(self, paths: Collection[str], *, forced: bool) -> int:
        """Look at files and folders ("" is all of them) and return how many notes are to be
        read. Lists files, so it takes a moment: not for the editor's loop.
        """
        with self._index.read() as reader:
            stored = reader.notes()
        found = self._files.scan() if "" in paths else self._found(paths)
        n_due = sum(forced or not unchanged(each, stored.get(each.path)) for each in found)
        if "" in paths:
            self.rescan(forced=forced)
            return n_due
        with self._wakeup:
            self._halted = ""
            self._looks.update(dict.fromkeys(paths, forced))
            self._record()
        return n_due

    def rescan(self, *, forced: bool = False) -> None:
        """Compare all files with the index; forced: read and cut all of them again."""
        with self._wakeup:
            self._scan = "forced" if forced or self._scan == "forced" else "due"
            self._halted = ""
            self._backlog.retry()
            self._woken = True
            self._wakeup.notify_all()

    def opened(self, paths: Sequence[str]) -> None:
        """These notes are open in the editor: they come first."""
        with self._wakeup:
            self._open_paths = tuple(paths)
            self._woken = True
            self._wakeup.notify_all()

    def halt(self, reason: str) -> None:
        """Park all but saved documents and reported changes until `resume`."""
        self._halted = reason
        self._backlog.stop()
        self._wake()

    def resume(self) -> None:
        """Go on where `halt` stopped."""
        self._halted = ""
        self._backlog.retry()
        self._wake()

    def settled(self, seconds: float) -> bool:
        """Wait until what was recorded before this call is findable by words."""
        with self._wakeup:
            ticket = self._n_recorded
            return self._wakeup.wait_for(
                lambda: self._n_served >= ticket or self._stopping, seconds
            )

    def wait(self, until: Until, seconds: float | None, token: CancelToken) -> bool:
        """Wait until all words are findable, or all is done or parked; False at the time-out."""
        early = ("starting", "scanning", "indexing")
        waiting = early if until == "words" else (*early, "embedding")

        def done() -> bool:
            return token.cancelled or self.status.phase not in waiting

        with token.on_cancel(self._wake), self._wakeup:
            return self._wakeup.wait_for(done, seconds)

    def _found(self, paths: Collection[str]) -> Iterator[FoundFile]:
        for path in paths:
            found = self._files.find(path)
            yield from self._files.below(path) if found is None else (found,)

    # --- the indexer's thread ------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopping:
            try:
                self._lead()
            except IndexUnusable as error:
                # Parked, not dead: the person frees the disk and asks for a re-index.
                self._report.failed(error)
                self._served(self._n_recorded)
                self._pause_until_woken(None)
            except Exception as error:  # noqa: BLE001 - a bug must be seen in the status
                # Only where it happened is logged: a message may hold a note's text.
                log.error("".join(traceback.format_tb(error.__traceback__)))  # noqa: TRY400
                self._report.broken(type(error).__name__)
                self._served(self._n_recorded)
                self._pause_until_woken(None)
        self._lock.release()

    def _lead(self) -> None:
        """Index until told to stop, from the moment no other process does."""
        while not self._lock.acquire():
            self._report.follow()
            self._served(self._n_recorded)
            self._pause_until_woken(_TAKEOVER_SECONDS)
            if self._stopping:
                return
        writer = self._index.writer()
        try:
            self._work(writer, NoteSync(self._files, self._index, writer, self._prepare))
        finally:
            writer.close()

    def _work(self, writer: IndexWriter, sync: NoteSync) -> None:
        self._report.begin(self._index.notice)
        while not self._stopping:
            sync.open_paths = self._open_paths
            self._backlog.adopt(writer)
            worked = (
                self._serve_recorded(writer, sync)
                or self._write_vectors(writer)
                or self._serve_scan(writer, sync)
                or self._read_some(sync)
                or self._feed(writer, sync)
            )
            self._tell(writer, sync, at_once=not worked)
            if not worked:
                self._pause_until_woken(self._next_settling(sync))
        self._write_all(writer)

    def _serve_recorded(self, writer: IndexWriter, sync: NoteSync) -> bool:
        with self._wakeup:
            ticket = self._n_recorded
            saves, self._saves = self._saves, {}
            looks, self._looks = self._looks, {}
        if not saves and not looks:
            self._served(ticket)
            return False
        changed = [*sync.saved(saves), *sync.look(looks)]
        if any(path.rpartition("/")[2] in _RULE_FILES for path in looks):
            self._scan = self._scan or "due"
        self._served(ticket)
        if changed and not self._halted_model():
            self._backlog.hurry(writer, changed)
        self._backlog.forget_fetched()
        return True

    def _serve_scan(self, writer: IndexWriter, sync: NoteSync) -> bool:
        if not self._scan or self._halted:
            return False
        self._report.scanning()

        def between() -> None:
            self._serve_recorded(writer, sync)
            self._tell(writer, sync, at_once=False)

        scan, self._scan = self._scan, ""
        try:
            sync.scan(between, forced=scan == "forced")
        except Unreadable as error:
            self._report.unreadable(str(error))
        else:
            self._report.scanned(self._files.n_excluded())
        return True

    def _read_some(self, sync: NoteSync) -> bool:
        if self._halted or not sync.n_unread:
            return False
        sync.read_some(_STEP_SECONDS)
        self._backlog.forget_fetched()
        return True

    def _feed(self, writer: IndexWriter, sync: NoteSync) -> bool:
        if self._halted or self._halted_model():
            return False
        return self._backlog.feed(writer, sync.open_paths)

    def _halted_model(self) -> bool:
        return bool(self._backlog.problem)

    def _write_vectors(self, writer: IndexWriter) -> bool:
        return self._backlog.due() and self._write_all(writer)

    def _write_all(self, writer: IndexWriter) -> bool:
        n_written = self._backlog.write(writer)
        self._report.embedded(n_written)
        return True

    def _next_settling(self, sync: NoteSync) -> float | None:
        return None if self._halted else sync.settle()

    def _tell(self, writer: IndexWriter, sync: NoteSync, *, at_once: bool) -> None:
        if at_once or self._report.due(_STATUS_SECONDS):
            self._report.tell(
                counts=writer.counts(),
                n_unread=sync.n_unread,
                n_unread_known=sync.n_unread_known,
                halted=self._halted,
                problem=self._backlog.problem,
                current=sync.current if sync.n_unread else self._backlog.current,
            )

    # --- waking --------------------------------------------------------------------------

    def _record(self) -> None:
        self._n_recorded += 1
        self._woken = True
        self._wakeup.notify_all()

    def _wake(self) -> None:
        with self._wakeup:
            self._woken = True
            self._wakeup.notify_all()

    def _served(self, ticket: int) -> None:
        with self._wakeup:
            self._n_served = max(self._n_served, ticket)
            self._wakeup.notify_all()

    def _published(self) -> None:
        with self._wakeup:
            self._wakeup.notify_all()
        self._on_change()

    def _pause_until_woken(self, seconds: float | None) -> None:
        with self._wakeup:
            self._wakeup.wait_for(lambda: self._woken or self._stopping, seconds)
            self._woken = False
