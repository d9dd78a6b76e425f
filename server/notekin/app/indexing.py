"""One vault's indexer: a thread that owns the index's writer and keeps it in step.

What it does next, most urgent first: documents saved in the editor, changes reported from
outside, vectors that arrived, notes not yet read, and, when all words are findable, passages
without a vector. Faces call the public methods from any thread; each only records and wakes.
"""

import logging
import math
import threading
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Literal

from notekin.app.backlog import Backlog
from notekin.app.borrowing import Borrower
from notekin.app.cancel import CancelToken
from notekin.app.comparing import count_due
from notekin.app.embedding import EmbeddingQueue
from notekin.app.errors import IndexUnusable, Unreadable
from notekin.app.followers import Followers
from notekin.app.following import Following
from notekin.app.inbox import Inbox
from notekin.app.parking import Parking
from notekin.app.pdf_parts import PdfParts
from notekin.app.pdf_retries import PdfRetries
from notekin.app.ports import Files, Index, IndexWriter, Lock, Workshop
from notekin.app.power import PowerWatch
from notekin.app.preparing import Preparer
from notekin.app.preparing_ahead import PreparingAhead
from notekin.app.reporting import Reporter, is_parked
from notekin.app.results import VaultStatus
from notekin.app.syncing import NoteSync
from notekin.core.rope import Content

log = logging.getLogger(__name__)

Until = Literal["words", "idle"]

# One step of reading: short, so that a save in the middle of a first index is served at once.
_STEP_SECONDS = 0.025
_STATUS_SECONDS = 0.2
# What another program holds, or a drive that is gone, is looked at again this soon.
_RETRY_SECONDS = 1.0
# How long one that failed looks for no other process to follow, at most.
_LONGEST_WAY = 300.0
# How often an indexer at rest looks whether another process passed anything on.
_NOTICING_SECONDS = 0.05
# The phases that go on by themselves, by what one waits for.
_BEFORE_WORDS = frozenset({"starting", "scanning", "indexing"})
_GOES_ON = {"words": _BEFORE_WORDS, "idle": _BEFORE_WORDS | {"embedding"}}
# More paths than these at once are a branch that was switched, or a sync client at work.
_N_BURST = 500
_RULE_FILES = (".gitignore", ".notekinignore")


class _Halted(Exception):
    """Comparing the files was stopped half way."""


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
        open_workshop: Callable[[], Workshop],
        model_name: str,
        on_change: Callable[[], None],
        power: PowerWatch,
        pdfs: PdfParts,
        borrower: Borrower | None = None,
    ) -> None:
        self._files = files
        self._index = index
        self._lock = lock
        self._embeddings = embeddings
        self._prepare = prepare
        self._open_workshop = open_workshop
        self._model_name = model_name
        self._inbox = Inbox()
        self._open_paths: tuple[str, ...] = ()
        self._rebuilding = False
        # At the start, too: they may have changed while nobody looked.
        self._rules_changed = True
        self._n_failures = 0
        # What was told by name, and is to be seen in the next comparison of all files.
        self._burst: dict[str, bool] = {}
        self._backlog = Backlog(embeddings, self._inbox.wake, borrower)
        self._report = Reporter(files.root, index, embeddings, model_name, self._published)
        self._pdfs = pdfs.of(files, index, prepare, self._inbox)
        self._retries = PdfRetries(index, self._inbox, pdfs)
        self._parking = Parking(index, self._inbox, self._backlog, self._pdfs, self._report)
        self._following = Following(
            files, index, lock, self._inbox, self._report, self._parking.catch_up
        )
        self._followers = Followers()
        self._deafen = embeddings.on_settled(self._inbox.wake)
        self._on_change = on_change
        self._power = power
        self._thread = threading.Thread(target=self._run, name=f"indexer {files.root.name}")

    # --- called from any thread ----------------------------------------------------------

    @property
    def status(self) -> VaultStatus:
        return self._report.status

    @property
    def parking(self) -> Parking:
        """What pauses, cancels and resumes the work."""
        return self._parking

    def start(self) -> None:
        self._power.join(self)
        self._thread.start()

    def stop(self) -> None:
        """Stop within one step and wait for it; the index is consistent at any moment."""
        self._power.leave(self)
        self._deafen()
        self._backlog.close()
        self._inbox.stop()
        self._pdfs.close()
        self._thread.join()

    def saved(self, path: str, content: Content) -> None:
        """A document was saved with this content."""
        self._inbox.saved(path, content)

    def look(self, paths: Collection[str]) -> None:
        """These files or folders ("" is the vault) may have changed on disk."""
        self._inbox.look(paths)

    def rules_changed(self) -> None:
        """Other files are left out from now on, or are notes."""
        self._rules_changed = True
        self._inbox.look([""])

    def retry_pdfs(self) -> None:
        """Read the PDFs again that could not be read, or in part only."""
        self._retries.ask()

    def unlock_pdfs(self) -> None:
        """Read the PDFs again that could not be read for want of a password."""
        self._retries.unlock()

    def reindex(self, paths: Collection[str], *, forced: bool) -> int:
        """Look at files and folders ("" is all of them), also while parked, and return how many
        notes are to be read. Lists files, so it takes a moment: not for the editor's loop.
        """
        n_due = count_due(self._files, self._index, paths, forced=forced)
        self._parking.resume()
        self._inbox.look(paths, forced=forced)
        return n_due

    def opened(self, paths: Sequence[str]) -> None:
        """These notes are open in the editor: they come first."""
        self._open_paths = tuple(paths)
        self._inbox.wake()

    def expect_model(self, name: str) -> None:
        """From now on the embedding thread is to have the model of that name."""
        self._model_name = name
        self._report.expect_model(name)
        self._embeddings.warm()
        # With a ticket: whoever waits from now on waits for a status that knows of it.
        self._inbox.look([])

    def unplugged(self) -> None:
        """The computer runs on battery from now on, and the person's rule is to spare it."""
        self._parking.halt("onBattery")

    def plugged(self) -> None:
        """The computer need not be spared any more."""
        self._parking.lift("onBattery")

    def distrust(self, error: IndexUnusable) -> None:
        """The index turned out to be damaged: open it anew, which builds another."""
        self._report.failed(error)
        self._inbox.distrust()

    def settled(self, seconds: float) -> bool:
        """Wait until what was recorded before this call is findable by words."""
        return self._inbox.settled(seconds)

    def wait(self, until: Until, seconds: float | None, token: CancelToken) -> bool:
        """Wait until all words are findable, or all is done, or nothing goes on by itself;
        False at the time-out.
        """
        waiting = _GOES_ON[until]

        def done() -> bool:
            comparing = self._inbox.scan_due or self._report.is_comparing
            status = self.status
            due = comparing and not is_parked(status)
            over = status.phase not in waiting or (until == "words" and status.words_complete)
            return not due and over

        return self._inbox.wait(done, seconds, token)

    # --- the indexer's thread ------------------------------------------------------------

    def _run(self) -> None:
        while not self._inbox.stopping:
            try:
                self._lead()
            except IndexUnusable as error:
                self._index_failed(error)
            except Exception as error:  # noqa: BLE001 - a bug must be seen in the status
                # Only where it happened is logged: a message may hold a note's text.
                log.error("".join(traceback.format_tb(error.__traceback__)))  # noqa: TRY400
                self._report.broken(type(error).__name__)
                self._inbox.defer()
                self._give_way()
        self._lock.release()

    def _index_failed(self, error: IndexUnusable) -> None:
        """Say so, and wait for a reason to try again."""
        self._report.failed(error)
        self._inbox.defer()
        if error.reason == "damaged" and not self._rebuilding:
            # Opening it again sets the file aside and builds another; once, not for ever.
            self._rebuilding = True
        elif error.reason == "busy":
            self._inbox.pause(_RETRY_SECONDS)
        else:
            self._give_way()

    def _give_way(self) -> None:
        """Wait for an order, but let another process try, and follow one that does.

        Where all of them fail, each waits longer before it looks for another again.
        """
        self._lock.release()
        self._n_failures += 1
        seconds = min(2.0**self._n_failures, _LONGEST_WAY)
        while not self._inbox.pause(seconds):
            with suppress(IndexUnusable):
                if not self._lock.acquire():
                    return
            self._lock.release()

    def _lead(self) -> None:
        """Index until told to stop, from the moment no other process does."""
        if not self._following.until_leading():
            return
        self._inbox.trust()
        writer = self._index.writer()
        ahead = PreparingAhead(self._open_workshop)
        try:
            sync = NoteSync(self._files, self._index, writer, self._prepare, ahead, self._pdfs)
            self._work(writer, sync)
        finally:
            ahead.close()
            writer.close()

    def _work(self, writer: IndexWriter, sync: NoteSync) -> None:
        self._report.begin()
        self._backlog.begin()
        self._pdfs.begin()
        self._retries.begin()
        self._followers.begin()
        self._parking.begin()
        with self._index.read() as reader:
            stored = reader.model()
        if stored is not None and stored.name != self._model_name:
            # Another model was chosen: nothing may ask for it, and all is to be embedded again.
            self._embeddings.warm()
        while not self._inbox.stopping:
            if self._inbox.distrusted or not self._is_ours(writer):
                self._inbox.defer()
                self._report.took_over()
                return
            sync.intake.open_paths = self._open_paths
            self._backlog.adopt(writer)
            was_reading = sync.intake.has_unread
            worked = self._step(writer, sync)
            if not self._pdfs.waiting():
                # Before it is told: whoever waits for the end may stop this process then.
                self._retries.keep(writer)
            self._tell(
                writer, sync, at_once=not worked or (was_reading and not sync.intake.has_unread)
            )
            self._followers.tell(writer, self.status)
            if not sync.intake.has_unread:
                self._followers.settle(writer, lambda path: not path and self._inbox.scan_due)
            if not worked:
                if self.status.phase == "idle":
                    self._rebuilding, self._n_failures = False, 0
                self._rest(writer, sync)
        self._backlog.write(writer)

    def _step(self, writer: IndexWriter, sync: NoteSync) -> bool:
        """Do the most urgent thing; return whether there was any."""
        try:
            return (
                self._serve_recorded(writer, sync)
                or self._write_vectors(writer, sync)
                or self._serve_scan(writer, sync)
                or self._read_some(sync)
                or self._read_pdfs(writer)
                or (not self._parking.halts().park_backlog and self._embed_some(writer, sync))
                or self._settle(sync)
                or self._pdfs.tidy()
            )
        except Unreadable as error:
            self._report.unreadable(str(error))
            self._inbox.defer()
            self._inbox.give_up_scan()
            self._retries.forget()
            return False

    def _rest(self, writer: IndexWriter, sync: NoteSync) -> None:
        """Wait for an order, or for the moment when something is to be done by itself."""
        if self._report.is_folder_missing:
            self._inbox.pause(_RETRY_SECONDS)
            if self._files.root.is_dir():
                self._inbox.look([""])
            return
        if self._parking.halts().park_reading:
            sync.intake.rest()
        moments = (
            self._backlog.due_in(),
            None if self._parking.halts().park_reading else sync.intake.settles_in(),
            None if self._parking.halts().park_reading else self._pdfs.due_in(),
        )
        seconds = min((each for each in moments if each is not None), default=math.inf)
        while not self._inbox.pause(min(seconds, _NOTICING_SECONDS)):
            seconds -= _NOTICING_SECONDS
            if seconds <= 0 or not self._is_ours(writer) or self._hear(writer):
                return

    def _is_ours(self, writer: IndexWriter) -> bool:
        """Return whether the index and the lock are where they were: anybody may delete them."""
        return writer.in_place() and self._lock.in_place()

    def _hear(self, writer: IndexWriter) -> bool:
        """Take what another process recorded: paths to look at, a pause, a cancel or a resume;
        return whether it wrote any.
        """
        self._parking.catch_up()
        heard = self._followers.receive(writer, self._inbox)
        if heard:
            self._parking.look_for_order()
        return heard

    def _serve_recorded(self, writer: IndexWriter, sync: NoteSync) -> bool:
        self._hear(writer)
        recorded = self._inbox.take()
        names = {path.rpartition("/")[2] for path in (*recorded.saves, *recorded.looks)}
        if not names.isdisjoint(_RULE_FILES):
            self.rules_changed()
        self._follow_rules(sync)
        if not recorded.saves and not recorded.looks:
            if recorded.fresh:
                self._tell(writer, sync, at_once=True)
                self._inbox.served(recorded.ticket)
            return False
        saved = sync.saved(recorded.saves)
        seen = self._look(recorded.looks, sync)
        if self._report.is_folder_missing:
            self._inbox.look([""])
        self._backlog.forget_fetched()
        # What changed outside is parked with the backlog. Before it is told: work that goes on
        # never looks parked.
        changed = saved if self._parking.halts().park_backlog else [*saved, *seen]
        if changed:
            self._backlog.hurry(writer, changed)
        self._tell(writer, sync, at_once=True)
        self._inbox.served(recorded.ticket)
        self._followers.tell(writer, self.status)
        self._followers.settle(writer, lambda path: not path or sync.intake.is_unread(path))
        return True

    def _follow_rules(self, sync: NoteSync) -> None:
        """Have new rules hold at once also where no files are compared."""
        if self._rules_changed and self._parking.halts().park_reading:
            self._rules_changed = False
            sync.drop_excluded()

    def _look(self, paths: Mapping[str, bool], sync: NoteSync) -> Sequence[str]:
        """Look at what was reported; of a burst, at all files instead, which is quicker and lets
        saves through.
        """
        many = len(paths) > _N_BURST and not any(paths.values())
        if not many or self._parking.halts().park_reading:
            return sync.look(paths)
        self._burst.update(paths)
        self._inbox.look([""])
        self._report.scanning()
        return ()

    def _serve_scan(self, writer: IndexWriter, sync: NoteSync) -> bool:
        if self._parking.halts().park_reading or not self._inbox.scan_due:
            return False
        self._report.scanning()

        def between() -> None:
            self._serve_recorded(writer, sync)
            self._tell(writer, sync, at_once=False)
            if self._parking.halts().park_reading or self._inbox.stopping:
                raise _Halted

        self._rules_changed = False
        forced = self._inbox.take_scan() == "forced"
        told, self._burst = self._burst, {}
        try:
            sync.scan(between, forced=forced)
        except Unreadable:
            if not told:
                raise
            # Of an empty folder only what was told by name is believed to be gone.
            sync.look(told)
            self._inbox.look([""])
            self._report.not_scanned()
        except _Halted:
            self._burst = {**told, **self._burst}
            self._inbox.look([""], forced=forced)
            self._report.not_scanned()
        else:
            self._report.scanned(self._files.n_excluded())
            if self._retries.compared():
                # At once: nobody is to be told that all is done before.
                self._serve_recorded(writer, sync)
        return True

    def _read_some(self, sync: NoteSync) -> bool:
        if self._parking.halts().park_reading or not sync.intake.has_unread:
            return False
        sync.intake.read_some(_STEP_SECONDS, lambda: self._inbox.has_orders)
        self._backlog.forget_fetched()
        return True

    def _read_pdfs(self, writer: IndexWriter) -> bool:
        if not self._pdfs.step(writer, self._parking.halts):
            return False
        self._backlog.forget_fetched()
        return True

    def _embed_some(self, writer: IndexWriter, sync: NoteSync) -> bool:
        return self._backlog.feed(writer, sync.intake.open_paths) or self._backlog.finish(writer)

    def _settle(self, sync: NoteSync) -> bool:
        if self._parking.halts().park_reading or not sync.intake.settle(_STEP_SECONDS):
            return False
        self._backlog.forget_fetched()
        return True

    def _write_vectors(self, writer: IndexWriter, sync: NoteSync) -> bool:
        if self._backlog.due_in() != 0.0:
            return False
        self._report.embedded(self._backlog.write(writer))
        # The vectors of a saved note: somebody waits to see that it is done.
        self._tell(writer, sync, at_once=not self._backlog.busy)
        return True

    def _tell(self, writer: IndexWriter, sync: NoteSync, *, at_once: bool) -> None:
        if at_once or self._report.due(_STATUS_SECONDS):
            pdfs = self._pdfs.count()
            self._report.tell(
                counts=writer.counts(),
                unread=sync.intake.count_unread(),
                pdfs=pdfs,
                halts=self._parking.halts,
                scan_due=lambda: self._inbox.scan_due,
                backlog=self._backlog,
                current=sync.intake.current
                if sync.intake.has_unread
                else pdfs.current or self._backlog.current,
            )

    def _published(self) -> None:
        self._inbox.tell()
        self._on_change()
