"""The truth about one vault, as one frozen value that any thread may read."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from attrs import evolve

from notekin.app.backlog import Backlog
from notekin.app.comparing import UnreadCounts
from notekin.app.embedding import EmbeddingQueue
from notekin.app.errors import IndexUnusable
from notekin.app.halts import Halts, parks_reading
from notekin.app.model_change import Models, model_conflict
from notekin.app.pdf_running import PdfsLeft
from notekin.app.ports import Counts, Index
from notekin.app.progress import Pace, phase_of
from notekin.app.results import (
    N_FAILURES_SHOWN,
    ChunkCounts,
    Failure,
    NoteCounts,
    Phase,
    Reason,
    VaultStatus,
)
from notekin.app.sharing import followed
from notekin.app.stored import stored_failures, stored_warnings


class Reporter:
    """Builds the status of one vault and publishes it when it differs from the last."""

    def __init__(
        self,
        root: Path,
        index: Index,
        embeddings: EmbeddingQueue,
        model_name: str,
        published: Callable[[], None],
    ) -> None:
        self._root = root
        self._index = index
        self._embeddings = embeddings
        self._publish_done = published
        self._lock = threading.Lock()
        self._status = VaultStatus(folder=root, model_name=model_name)
        self._model_name = model_name
        self._models = Models(model_name)
        self._told_at = 0.0
        self._pace = Pace()
        self._started = False
        self._scanning = False
        # A comparison that is done, of which it is not told yet what it found.
        self._untold_scan = False
        self._folder_problem = ""
        self._n_excluded = 0
        self._failures: tuple[Failure, ...] = ()
        self._warnings: tuple[Failure, ...] = ()
        self._failures_of = (-1, -1)

    @property
    def is_folder_missing(self) -> bool:
        """Whether the vault's folder could not be listed when last tried."""
        return bool(self._folder_problem)

    @property
    def is_comparing(self) -> bool:
        """Whether a comparison of the files goes on, or is done and not told yet. Ask before the
        status, which then knows of one that is told.
        """
        return self._scanning or self._untold_scan

    def expect_model(self, name: str) -> None:
        """The model is to be the one of that name. From any thread."""
        self._model_name = name

    @property
    def status(self) -> VaultStatus:
        with self._lock:
            return self._status

    def begin(self) -> None:
        """The index is open; what was wrong with it is over."""
        if self._status.phase == "failed":
            self._started = False
            self._publish(evolve(self._status, phase="starting", reason="", failures=()))
            self._failures_of = (-1, -1)

    def scanning(self) -> None:
        """The files are being compared with the index from now on."""
        self._scanning = True
        if not self._folder_problem:
            self._publish(evolve(self._status, phase="scanning", reason=""))

    def scanned(self, n_excluded: int) -> None:
        """The comparison is done."""
        self._untold_scan = True
        self._started, self._scanning = True, False
        self._folder_problem = ""
        self._n_excluded = n_excluded

    def not_scanned(self) -> None:
        """The comparison was stopped half way."""
        self._scanning = False

    def unreadable(self, sentence: str) -> None:
        """The vault's folder cannot be listed."""
        self._started, self._scanning = True, False
        self._folder_problem = sentence

    def embedded(self, n_passages: int) -> None:
        """So many passages more have their vectors."""
        self._pace.tick(time.monotonic(), n_passages)

    def noticed(self) -> None:
        """Something that speaks beside the status has something new to say. From any thread."""
        self._publish_done()

    def due(self, seconds: float) -> bool:
        """Return whether the last status is older than `seconds`."""
        return time.monotonic() - self._told_at >= seconds

    def halted(self, halts: Callable[[], Halts], *, scan_due: Callable[[], bool]) -> None:
        """Publish at once what is parked from now on, and what goes on. From any thread."""

        def parked(status: VaultStatus) -> VaultStatus:
            if status.phase == "failed" or status.following:
                return status
            now = halts()
            scanning = self._scanning or self._untold_scan or scan_due()
            n_waiting = status.notes.n_layouts if now.park_backlog else 0
            phase = phase_of(
                halted=now.park_reading,
                started=self._started,
                scanning=scanning,
                n_unread=status.notes.n_pending - n_waiting,
                n_unembedded=status.chunks.n_pending + n_waiting,
                parked=now.park_backlog,
            )
            reason = now.shown if phase == "paused" else self._models.reason
            unseen = scanning or not self._started
            return evolve(status, phase=phase, reason=reason, unseen=unseen)

        self._revise(parked)

    def tell(  # noqa: PLR0913 - all that makes a status
        self,
        *,
        counts: Counts,
        unread: UnreadCounts,
        pdfs: PdfsLeft,
        halts: Callable[[], Halts],
        scan_due: Callable[[], bool],
        backlog: Backlog,
        current: str,
    ) -> None:
        """Publish where the indexer stands."""
        self._told_at = time.monotonic()
        models = self._models = self._look_at_models()
        counts = counts if backlog.problem else models.counted(counts)
        counted = self._counted(counts, unread, pdfs)
        n_unread = unread.n_all + pdfs.texts.n_all

        def told(_: VaultStatus) -> VaultStatus:
            # Asked for here, where no other thread publishes: what was parked or resumed since
            # the counting began is told as it is, never as it was.
            now = halts()
            self._untold_scan = False
            scanning = self._scanning or scan_due()
            parked = _parked(counts, backlog, pdfs, now)
            n_waiting = pdfs.n_layouts if now.park_backlog else 0
            phase = phase_of(
                halted=now.park_reading,
                started=self._started,
                scanning=scanning,
                n_unread=n_unread + pdfs.n_layouts - n_waiting,
                n_unembedded=counts.n_passages_pending + n_waiting,
                parked=bool(parked),
            )
            if phase != "embedding":
                # The time that passes until it goes on says nothing of how fast it will be.
                self._pace.reset()
            status = evolve(
                counted,
                phase=phase,
                unseen=scanning or not self._started,
                reason=(now.shown if now.park_reading else "")
                or (parked if phase == "paused" else "")
                or _missing(backlog)
                or models.reason,
                current=current if phase in ("indexing", "embedding") else "",
                eta_seconds=self._seconds_left(phase, counts, pdfs),
            )
            return self._with_problems(status, backlog)

        self._revise(told)

    def follow(self, status: VaultStatus | None) -> None:
        """Publish what another process says of its work; None while it has said nothing."""
        said = status or VaultStatus(self._root, model_name=self._model_name)
        conflict = model_conflict(said, self._model_name, self._embeddings.info)
        notices = tuple(filter(None, (self._index.notice, conflict)))
        self._publish(evolve(followed(said), notices=notices))

    def took_over(self) -> None:
        """This process indexes from now on; what it will find is not known yet."""
        self._started, self._failures_of = False, (-1, -1)
        self._publish(evolve(self._status, phase="starting", reason="", following=False))

    def failed(self, error: IndexUnusable) -> None:
        """Publish that the index cannot be used, and why."""
        failure = Failure(self._root, str(error))
        self._publish(
            evolve(self._status, phase="failed", reason=error.reason, failures=(failure,))
        )

    def broken(self, what: str) -> None:
        """Publish that indexing met an error of its own."""
        sentence = f"Indexing stopped at an internal error ({what}); re-index to try again."
        failure = Failure(self._root, sentence)
        self._publish(evolve(self._status, phase="failed", reason="internal", failures=(failure,)))

    def _seconds_left(self, phase: Phase, counts: Counts, pdfs: PdfsLeft) -> float | None:
        if phase == "indexing":
            return pdfs.seconds
        return self._pace.seconds_for(counts.n_passages_pending)

    def _with_problems(self, status: VaultStatus, backlog: Backlog) -> VaultStatus:
        """Put first among the failures what stops the whole vault."""
        if self._folder_problem:
            failure = Failure(self._root, self._folder_problem)
            return evolve(
                status,
                phase="failed",
                reason="folderMissing",
                failures=(failure,),
                notices=(*status.notices, self._folder_problem),
            )
        failures = [
            Failure(self._root / path, f"the model failed at a passage of it ({error})")
            for path, error in backlog.refused.items()
        ]
        notices = tuple(filter(None, (*status.notices, status.emptiness)))
        if backlog.problem:
            failures.insert(0, Failure(self._root, backlog.problem))
            notices = (*notices, f"{backlog.problem} {self._models.loss}")
        shown = (*failures, *status.failures)[:N_FAILURES_SHOWN]
        return evolve(status, failures=shown, notices=notices)

    def _look_at_models(self) -> Models:
        with self._index.read() as reader:
            served, building = reader.model(), reader.building()
        return Models(self._model_name, self._embeddings.info, served, building)

    def _counted(self, counts: Counts, unread: UnreadCounts, pdfs: PdfsLeft) -> VaultStatus:
        texts = pdfs.texts
        with self._index.read() as reader:
            revision = reader.revision()
            if self._failures_of != (revision, counts.n_failed):
                self._failures_of = (revision, counts.n_failed)
                self._failures = stored_failures(reader, self._root)
                self._warnings = stored_warnings(reader, self._root)
        status = evolve(
            self._status,
            notes=NoteCounts(
                n_total=counts.n_notes + counts.n_failed + unread.n_new + texts.n_new,
                n_indexed=counts.n_notes - unread.n_indexed - texts.n_indexed - pdfs.n_layouts,
                n_pending=unread.n_all + texts.n_all + pdfs.n_layouts,
                n_failed=counts.n_failed - unread.n_failed - texts.n_failed,
                n_excluded=self._n_excluded,
                n_layouts=pdfs.n_layouts,
            ),
            chunks=ChunkCounts(
                n_total=counts.n_passages,
                n_embedded=counts.n_passages - counts.n_passages_pending,
                n_pending=counts.n_passages_pending,
            ),
            revision=revision,
            failures=self._failures,
            warnings=self._warnings,
            notices=tuple(filter(None, (self._index.notice, self._models.change))),
        )
        if (model := self._models.shown) is None:
            return status
        return evolve(status, model_name=model.name, dim=model.dim, fingerprint=model.fingerprint)

    def _publish(self, status: VaultStatus) -> None:
        self._revise(lambda _: status)

    def _revise(self, revised: Callable[[VaultStatus], VaultStatus]) -> None:
        """Publish what becomes of the present status, with no other thread in between."""
        with self._lock:
            status = revised(self._status)
            changed, self._status = status != self._status, status
        if changed:
            self._publish_done()


def is_parked(status: VaultStatus) -> bool:
    """Return whether files are looked at only when somebody asks."""
    failed = status.phase == "failed" and status.reason != "folderMissing"
    return failed or parks_reading(status.reason)


def _missing(backlog: Backlog) -> Reason:
    """Return the reason for having no model, "" while none is needed or one is there."""
    return "modelMissing" if backlog.problem else ""


def _parked(counts: Counts, backlog: Backlog, pdfs: PdfsLeft, halts: Halts) -> Reason:
    """Return why nothing more is embedded, and no layout is read, though some wait; "" when it
    goes on.
    """
    if not counts.n_passages_pending:
        return halts.shown if pdfs.n_layouts else ""
    if missing := _missing(backlog):
        return missing
    if backlog.busy:
        return ""
    return halts.shown or ("modelFailed" if backlog.refused else "")
