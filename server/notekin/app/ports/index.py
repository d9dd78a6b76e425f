"""One vault's index: who reads it, writes it, follows its writer, and lends of it."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from notekin.app.cancel import CancelToken
from notekin.app.halts import Order
from notekin.app.ports.files import FileStat
from notekin.app.ports.model import ModelInfo
from notekin.app.ports.stored import (
    Counts,
    Dirty,
    Finding,
    Holders,
    MovedNote,
    NewNote,
    PendingPassage,
    PlanCounts,
    Scored,
    Stage,
    StoredNote,
    StoredPassage,
    Touched,
)
from notekin.core.note import Kind
from notekin.core.query import Filters
from notekin.core.vectors import Vector


class IndexReader(Protocol):
    """Reads of one vault's index, all from one snapshot. Every call may raise `Cancelled`."""

    def lexical(self, terms: Sequence[str], filters: Filters, limit: int) -> list[Scored]:
        """Return the passages holding any of `terms` (terms of `core.terms`), best first; one
        that stands there twice weighs twice.
        """
        ...

    def semantic(self, vector: Vector, filters: Filters, limit: int) -> list[Scored]:
        """Return the nearest passages by cosine, best first; a passage of several vectors once,
        with its best. `limit` may be any number.
        """
        ...

    def holding(self, ids: Collection[int], terms: Sequence[str]) -> Mapping[str, Holders]:
        """Return in how many passages each term stands, in any column, and in which of `ids`."""
        ...

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return the first of the two alone: of many terms it is known much sooner."""
        ...

    def cosines(self, vector: Vector, ids: Collection[int]) -> Mapping[int, float]:
        """Return the cosine of each passage's nearest vector; one without a vector is absent."""
        ...

    def vectors(self, ids: Collection[int]) -> Mapping[int, Sequence[Vector]]:
        """Return the vectors of passages; one without a vector is absent."""
        ...

    def passages(self, ids: Collection[int]) -> Mapping[int, StoredPassage]:
        """Return passages by id; one that is gone is absent."""
        ...

    def passages_of(self, path: str) -> Sequence[StoredPassage]:
        """Return a note's passages in document order."""
        ...

    def note(self, path: str) -> StoredNote | None:
        """Return a note, failed ones included."""
        ...

    def notes(self, below: str = "") -> Mapping[str, StoredNote]:
        """Return all notes by path, failed ones included: the note at `below` and those in it
        as a folder ("" is the vault).
        """
        ...

    def notes_modified_at(self, moments: Collection[int]) -> Mapping[str, StoredNote]:
        """Return the notes by path whose files were last modified at one of `moments` (ns)."""
        ...

    def warnings(self, limit: int) -> Sequence[tuple[str, str]]:
        """Return (path, sentence) of PDFs that could be read in part only, by path."""
        ...

    def readable(self, path: str) -> str | None:
        """Return the readable document of a PDF, None for what is none or was not read yet."""
        ...

    def pdfs(self) -> Collection[bytes]:
        """Return the hashes of the PDFs that could be read; one that is to be read again whatever
        it holds is b"".
        """
        ...

    def links_of(self, path: str) -> Sequence[str]:
        """Return the link targets a note writes."""
        ...

    def counts(self) -> Counts:
        """Return how far the index is."""
        ...

    def failures(self, limit: int) -> Sequence[tuple[str, str]]:
        """Return (path, reason) of notes that failed, by path."""
        ...

    def locked(self) -> Collection[str]:
        """Return the paths of the PDFs that failed for want of a password."""
        ...

    def model(self) -> ModelInfo | None:
        """Return the model whose vectors are served, None when the index has none yet."""
        ...

    def building(self) -> ModelInfo | None:
        """Return the model that is to take the place of the one served, once no passage waits
        for its vectors; None when there is none.
        """
        ...

    def revision(self) -> int:
        """Return a number that grows with every change of notes or vectors."""
        ...

    def pdf_settings(self) -> str:
        """Return what `IndexWriter.keep_pdf_settings` kept last, "" when it never did."""
        ...

    def shared(self) -> str:
        """Return what the indexer shared last, "" when it never did."""
        ...

    def parked(self) -> Order | None:
        """Return what parks the indexing of this vault by order of the person; see `Index.park`."""
        ...


class IndexWriter(Protocol):
    """Writes to one vault's index, each call one transaction. Raises `IndexUnusable`."""

    def put(self, notes: Sequence[NewNote]) -> Sequence[PlanCounts]:
        """Store notes: plan each against what is stored, keep what did not change."""
        ...

    def fail(
        self, path: str, kind: Kind, stat: FileStat, reason: str, stage: Stage = "whole"
    ) -> None:
        """Record that a note cannot be read; its passages go. The stage `locked` says that a
        password helps.
        """
        ...

    def keep_raw(self, path: str, warnings: Sequence[str]) -> None:
        """Record that the bare text of a PDF is all that there will be of it, and why."""
        ...

    def touch(self, notes: Sequence[Touched]) -> None:
        """Record new stats of notes whose text did not change."""
        ...

    def move(self, notes: Sequence[MovedNote]) -> int:
        """Store notes under their new paths, with their passages and vectors as they are; return
        how many. What stood there before goes. One that is not there is left out.
        """
        ...

    def delete(self, paths: Collection[str]) -> int:
        """Remove notes, and for each path all notes below it as a folder; return how many."""
        ...

    def pending(self, first: Sequence[str], limit: int) -> Sequence[PendingPassage]:
        """Return passages without a vector: those of the notes `first`, then of the most
        recently modified notes. Passages whose hash has a vector already get it here.
        """
        ...

    def put_vectors(self, vectors: Mapping[bytes, Sequence[Vector]]) -> int:
        """Store the vectors of all passages with these hashes that still wait for one; return
        how many passages got one. Hashes nobody waits for any more go to the cache.
        """
        ...

    def set_model(self, model: ModelInfo) -> None:
        """Ask for vectors of `model` from now on.

        Where another one's are served, those stay and answer while the new ones come in beside
        them: passages are pending until they have one of `model`, and with the last of them it
        becomes the model served and the old vectors go. Coming back to the model served before
        that drops what was built and costs no embedding. Where nothing is served yet, `model`
        is from its first vector on.
        """
        ...

    def serve_built(self) -> bool:
        """Serve the model that is being built though passages still wait for it, and drop the
        old one; return whether there was one. Those passages go on waiting.
        """
        ...

    def keep_pdf_settings(self, settings: str) -> None:
        """Keep with which settings PDFs were read, in the place of those kept before."""
        ...

    def clear(self) -> None:
        """Forget all notes; vectors stay in the cache, so that nothing is embedded again."""
        ...

    def counts(self) -> Counts: ...

    def noticed(self) -> bool:
        """Return whether anybody else wrote to the index since the last call. Cheap."""
        ...

    def in_place(self) -> bool:
        """Return whether what is written still goes to the file at the index's place; False once
        it was removed, set aside or replaced. Cheap.
        """
        ...

    def dirty(self, after: int) -> Sequence[Dirty]:
        """Return what other processes passed on with ids above `after`, the oldest first."""
        ...

    def looked_at(self, ids: Collection[int]) -> None:
        """Remove from what was passed on: it is stored, and those who wait may see it."""
        ...

    def share(self, state: str) -> None:
        """Replace what followers read of the state of this process."""
        ...

    def close(self) -> None: ...


class IndexFollower(Protocol):
    """What a process may do with an index that another one writes. Raises `IndexUnusable`, with
    the reason "busy" soon: what could not be passed on is to be tried again.
    """

    def noticed(self) -> bool:
        """As for `IndexWriter`; always True at first."""
        ...

    def in_place(self) -> bool:
        """As for `IndexWriter`."""
        ...

    def pass_on(self, looks: Mapping[str, bool]) -> Sequence[int]:
        """Ask the indexer to look at paths, each with whether it is forced, in one transaction;
        return the ids in the order of `looks`.
        """
        ...

    def waiting(self, ids: Collection[int]) -> Collection[int]:
        """Return those of `ids` that the indexer has not looked at yet."""
        ...

    def shared(self) -> str:
        """Return what the indexer shared last, "" when it never did."""
        ...

    def close(self) -> None: ...


class Index(Protocol):
    """One vault's index file."""

    @property
    def notice(self) -> str:
        """A sentence when the file was set aside on opening (damaged, newer), else ""."""
        ...

    def writer(self) -> IndexWriter:
        """Open the one writer, on the calling thread."""
        ...

    def follow(self) -> IndexFollower:
        """Open what a process that does not index needs, on the calling thread."""
        ...

    def read(self, token: CancelToken | None = None) -> AbstractContextManager[IndexReader]:
        """Lease a reader for one request; the token interrupts its queries."""
        ...

    def park(self, order: Order) -> Order:
        """Record that the person paused or cancelled the indexing of this vault, for every process
        and after a restart, until `unpark`; return what holds: a pause outweighs a cancel. Any
        thread may call; it may wait for another's transaction.
        """
        ...

    def unpark(self) -> None:
        """Take `park` back; nothing is written where nobody parked."""
        ...

    def lend(self, hashes: Collection[bytes], model: ModelInfo) -> Mapping[bytes, Sequence[Vector]]:
        """See `VectorShelf`."""
        ...

    def check(self, *, repair: bool) -> Sequence[Finding]:
        """Prove that all tables agree; empty means healthy. With `repair`, mend."""
        ...

    def close(self) -> None:
        """Close the readers."""
        ...


class VectorShelf(Protocol):
    """An index as another vault sees it: what was embedded there need not be embedded again."""

    def lend(self, hashes: Collection[bytes], model: ModelInfo) -> Mapping[bytes, Sequence[Vector]]:
        """Return the vectors of those of `hashes` that this index has by `model`; raises
        `IndexUnusable`.
        """
        ...
