"""What the use cases answer; `presenting` turns it into messages of the wire."""

from pathlib import Path
from typing import Literal

from attrs import field, frozen

from notekin.core.note import Kind, Span
from notekin.core.text import Anchor

Verdict = Literal["found", "notFound", "incomplete"]
Phase = Literal["starting", "scanning", "indexing", "embedding", "idle", "paused", "failed"]
Reason = Literal[
    "",
    "user",
    "cancelled",
    "onBattery",
    "otherProcess",
    "modelChanged",
    "modelMissing",
    "modelFailed",
    "folderMissing",
    "readOnly",
    "noSpace",
    "damaged",
    "busy",
    "internal",
]
"""Why a vault is in its phase, "" where there is nothing to say."""

N_FAILURES_SHOWN = 20
"""How many failed notes a status names, as the contract says."""


@frozen
class NoteCounts:
    """Notes of a vault. `n_total` is indexed + pending + failed; excluded ones stand apart."""

    n_total: int = 0
    n_indexed: int = 0
    n_pending: int = 0
    n_failed: int = 0
    n_excluded: int = 0


@frozen
class ChunkCounts:
    """Passages of a vault, by whether they have their vectors."""

    n_total: int = 0
    n_embedded: int = 0
    n_pending: int = 0


@frozen
class Failure:
    """A note that could not be indexed."""

    path: Path
    reason: str


@frozen
class VaultStatus:
    """One vault's state at one moment. `fingerprint` and `dim` are "" and 0 before the model
    was loaded once. `notices` are sentences the person should see once. `following` tells that
    another process does the work, `unseen` that the files are still to be compared with the index
    since this start, or since something that only a comparison shows.
    """

    folder: Path
    phase: Phase = "starting"
    reason: Reason = ""
    notes: NoteCounts = NoteCounts()
    chunks: ChunkCounts = ChunkCounts()
    current: str = ""
    eta_seconds: float | None = None
    model_name: str = ""
    dim: int = 0
    fingerprint: str = ""
    revision: int = 0
    failures: tuple[Failure, ...] = ()
    notices: tuple[str, ...] = ()
    following: bool = False
    unseen: bool = False

    @property
    def words_complete(self) -> bool:
        """Whether every note is known and its words are findable."""
        settled = self.phase in ("embedding", "idle", "paused")
        return settled and not self.unseen and not self.notes.n_pending

    @property
    def complete(self) -> bool:
        """Whether nothing is known to be still pending."""
        return self.words_complete and not self.chunks.n_pending


@frozen
class LaneScore:
    """A hit's place in one lane; `rank` counts from 1."""

    rank: int
    score: float


@frozen
class Hit:
    """One passage found. `start` and `end` are where it stands now, unsaved edits included;
    `highlights` are spans of code points in `text`. `title` falls back to the file's name.
    """

    folder: Path
    path: str
    ordinal: int
    kind: Kind
    start: Anchor
    end: Anchor
    title: str
    headings: tuple[str, ...]
    text: str
    score: float
    highlights: tuple[Span, ...] = ()
    lexical: LaneScore | None = None
    semantic: LaneScore | None = None
    linked: bool | None = None
    weak: bool = False


@frozen
class SearchResult:
    """The answer to a search."""

    verdict: Verdict
    hits: tuple[Hit, ...]
    status: tuple[VaultStatus, ...]
    took_ms: float = field(default=0.0)
