"""What must hold in a simulated day, and its figures."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from attrs import frozen

from notekin.adapters.sqlite.database import SqliteIndex
from notekin.app.results import VaultStatus
from notekin.compose import IndexFiles
from support.vault import content_of


@frozen
class Figures:
    """What a day came to, in steps, settlings and passages."""

    n_steps: int
    n_settled: int
    n_embedded: int
    n_avoided: int
    n_lost: int
    n_crashes: int

    def __str__(self) -> str:
        return (
            f"{self.n_steps} steps, {self.n_settled} times compared with a new index, "
            f"{self.n_crashes} crashes; {self.n_embedded} passages embedded, {self.n_avoided} not "
            f"embedded again, {self.n_lost} embedded twice because they were lost before they "
            "were written"
        )


def check(statuses: Sequence[VaultStatus]) -> None:
    """Every status that is published adds up."""
    for status in statuses:
        notes, chunks = status.notes, status.chunks
        assert notes.n_total == notes.n_indexed + notes.n_pending + notes.n_failed, status
        assert chunks.n_total == chunks.n_embedded + chunks.n_pending, status
        assert min(notes.n_indexed, notes.n_pending, notes.n_failed, chunks.n_pending) >= 0, status
        if status.phase == "idle":
            assert (notes.n_pending, chunks.n_pending, status.current) == (0, 0, ""), status


def n_idle(statuses: Sequence[VaultStatus]) -> int:
    """Return how often a vault became idle, or told something new while it was."""
    changes = [*statuses[:1], *(now for before, now in pairwise(statuses) if now != before)]
    return [status.phase for status in changes].count("idle")


def healthy_content(data: Path, folder: Path) -> Mapping[str, object]:
    """Return all that the index of a vault holds, which must be sound."""
    file = IndexFiles(data).of(folder)
    index = SqliteIndex(file, folder)
    try:
        assert index.check(repair=False) == []
    finally:
        index.close()
    return content_of(SqliteIndex(file, folder))
