"""What the use cases answer; `presenting` turns it into messages of the wire."""

from pathlib import Path
from typing import Literal

from attrs import field, frozen

from notekin.core.note import Kind, Span
from notekin.core.pages import PageRange
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
    """Notes of a vault. `n_total` is indexed + pending + failed; excluded ones stand apart. Of the
    pending ones `n_layouts` are PDFs that are findable by their bare text.
    """

    n_total: int = 0
    n_indexed: int = 0
    n_pending: int = 0
    n_failed: int = 0
    n_excluded: int = 0
    n_layouts: int = 0

    @property
    def n_unread(self) -> int:
        """How many notes are not findable as they are."""
        return self.n_pending - self.n_layouts


@frozen
class ChunkCounts:
    """Passages of a vault, by whether they have their vectors."""

    n_total: int = 0
    n_embedded: int = 0
    n_pending: int = 0


@frozen
class Failure:
    """A note that could not be indexed; among the warnings, one that could only in part.
    `locked`: a password helps.
    """

    path: Path
    reason: str
    locked: bool = False


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
    warnings: tuple[Failure, ...] = ()
    notices: tuple[str, ...] = ()
    following: bool = False
    unseen: bool = False

    @property
    def words_complete(self) -> bool:
        """Whether every note is known and its words are findable."""
        settled = self.phase in ("indexing", "embedding", "idle", "paused")
        return settled and not self.unseen and not self.notes.n_unread

    @property
    def complete(self) -> bool:
        """Whether nothing is known to be still pending."""
        left = self.notes.n_pending or self.chunks.n_pending
        return self.words_complete and not left

    @property
    def emptiness(self) -> str:
        """A sentence where all files were looked at and none is a note, else ""."""
        if self.phase != "idle" or self.unseen or self.notes.n_total:
            return ""
        return (
            f"There are no notes in {self.folder}: Markdown, text, Org, reStructuredText and PDF "
            "files are notes, unless .gitignore, .notekinignore or the setting exclude leaves "
            "them out."
        )


@frozen
class LaneScore:
    """A hit's place in one lane; `rank` counts from 1."""

    rank: int
    score: float


@frozen
class Hit:
    """One passage found. `start` and `end` are where it stands now, unsaved edits included;
    `highlights` are spans of code points in `text`. `title` falls back to the file's name.

    In a PDF, `start` and `end` are places in its readable document, and `pages` says where it
    stands in the PDF itself, as far as that is known; `page` is the one to go to, where the most
    of the question's terms stand.
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
    pages: PageRange | None = None
    page: int | None = None


@frozen
class SearchResult:
    """The answer to a search."""

    verdict: Verdict
    hits: tuple[Hit, ...]
    status: tuple[VaultStatus, ...]
    took_ms: float = field(default=0.0)
