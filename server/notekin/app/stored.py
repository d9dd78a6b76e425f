"""The status of a vault that this process does not index: by what its index holds."""

from pathlib import Path

from attrs import evolve

from notekin.app.ports import Counts, IndexReader
from notekin.app.results import (
    N_FAILURES_SHOWN,
    ChunkCounts,
    Failure,
    NoteCounts,
    Phase,
    VaultStatus,
)
from notekin.app.sharing import followed, from_shared

# Who said this last and is gone did not come to the end of the files.
_AMID_THE_FILES = frozenset({"starting", "scanning", "indexing"})


def stored_status(reader: IndexReader, vault: Path, *, other: bool) -> VaultStatus:
    """Return what an index says of its vault, whose files are not looked at. `other` tells that a
    process is indexing it now.
    """
    told = from_shared(reader.shared(), vault)
    if other and told is not None:
        return followed(told)
    counts, model, paused = reader.counts(), reader.model(), reader.parked() == "user"
    notes = _notes(counts, told)
    status = VaultStatus(
        folder=vault,
        phase=_phase(counts, told, notes, other=other, paused=paused),
        reason="user" if paused else "otherProcess" if other else "",
        notes=notes,
        chunks=ChunkCounts(
            n_total=counts.n_passages,
            n_embedded=counts.n_passages - counts.n_passages_pending,
            n_pending=counts.n_passages_pending,
        ),
        revision=reader.revision(),
        failures=stored_failures(reader, vault),
        warnings=stored_warnings(reader, vault),
    )
    if model is None:
        return status
    return evolve(status, model_name=model.name, dim=model.dim, fingerprint=model.fingerprint)


def stored_failures(reader: IndexReader, vault: Path) -> tuple[Failure, ...]:
    """Return the first notes of a vault that could not be indexed."""
    failures, locked = reader.failures(N_FAILURES_SHOWN), frozenset(reader.locked())
    return tuple(Failure(vault / path, reason, path in locked) for path, reason in failures)


def stored_warnings(reader: IndexReader, vault: Path) -> tuple[Failure, ...]:
    """Return the first notes of a vault that could be indexed in part only."""
    return tuple(Failure(vault / path, why) for path, why in reader.warnings(N_FAILURES_SHOWN))


def _notes(counts: Counts, told: VaultStatus | None) -> NoteCounts:
    """Count the notes, those that were still unread when the last indexer stopped included."""
    if told is not None and told.notes.n_pending:
        return told.notes
    return NoteCounts(
        n_total=counts.n_notes + counts.n_failed,
        n_indexed=counts.n_notes,
        n_failed=counts.n_failed,
        n_excluded=told.notes.n_excluded if told is not None else 0,
    )


def _phase(
    counts: Counts, told: VaultStatus | None, notes: NoteCounts, *, other: bool, paused: bool
) -> Phase:
    if paused:
        return "paused"
    left = counts.n_passages_pending or notes.n_pending
    if not (left or told is None or told.unseen or told.phase in _AMID_THE_FILES):
        return "idle"
    return "embedding" if other else "paused"
