"""What the use cases need of the world; each port has one adapter and, where useful, a fake.

Threads: an `IndexWriter` belongs to the one thread that opened it. `Index.read` leases a
connection to the caller's thread. `Embedder` is called by the embedding thread only.
`Files` may be called from any thread.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal, Protocol

from attrs import field, frozen

from notekin.app.cancel import CancelToken
from notekin.core.note import Kind, Passage
from notekin.core.query import Filters
from notekin.core.text import Anchor
from notekin.core.vectors import Vector

# --- files -------------------------------------------------------------------------------


@frozen
class FileStat:
    """What tells without reading whether a file changed."""

    mtime_ns: int
    size: int
    inode: int


@frozen
class FoundFile:
    """A file of the vault that is a note by its suffix and not ignored.

    `path` is relative to the vault, "/" separated, exactly as the file system spells it.
    `problem` says why it cannot be read (a FIFO, no permission, a link out of the vault …).
    """

    path: str
    kind: Kind
    stat: FileStat
    problem: str = ""


@frozen
class FileText:
    """A file's text, decoded, and the stat taken before it was read."""

    text: str
    stat: FileStat


class Files(Protocol):
    """The files of one vault, behind its ignore rules; nothing excluded is ever opened."""

    @property
    def root(self) -> Path: ...

    @property
    def notice(self) -> str:
        """A sentence when not all rules of the vault are followed, else ""."""
        ...

    def scan(self) -> Iterator[FoundFile]:
        """Yield every note, and every folder or file that should be one and cannot be read.

        Raises `Unreadable` only when the root itself cannot be listed.
        """
        ...

    def retune(self, exclude: Sequence[str], suffixes: Sequence[str]) -> None:
        """Go by other rules from now on: lines as in `.gitignore`, and suffixes of notes."""
        ...

    def n_excluded(self) -> int:
        """Return how many note files and folders the last finished scan left out by rule."""
        ...

    def find(self, path: str) -> FoundFile | None:
        """Return the note at `path`, None when it is gone, excluded or no note."""
        ...

    def excludes(self, path: str) -> bool:
        """Tell by the rules and the name alone whether `path`, which may be gone, is no note."""
        ...

    def below(self, path: str) -> Iterator[FoundFile]:
        """As `scan`, below one folder only; nothing when it is gone or excluded."""
        ...

    def read(self, path: str) -> FileText:
        """Return the text; raises `Unreadable` with the reason (binary, no permission …)."""
        ...


@frozen
class RawNote:
    """A note as read from its file. `racy`: modified so shortly before that an equal stat
    proves nothing.
    """

    path: str
    kind: Kind
    content: FileText
    racy: bool = False


# --- the index ---------------------------------------------------------------------------


@frozen
class PassageTerms:
    """What the text index holds of one passage: terms joined by spaces, a column each."""

    title: str
    headings: str
    text: str


@frozen
class NewPassage:
    """A passage to store, with its place in both encodings and its terms."""

    passage: Passage
    start: Anchor
    end: Anchor
    terms: PassageTerms


@frozen
class NewNote:
    """A note as parsed, ready to be stored."""

    path: str
    kind: Kind
    stat: FileStat
    text_hash: bytes
    title: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    links: tuple[str, ...]
    passages: tuple[NewPassage, ...]
    racy: bool = False  # modified so shortly before that an equal stat proves nothing


@frozen
class StoredNote:
    """What the index knows of a note without its passages. `reason` is set when it failed."""

    path: str
    kind: Kind
    stat: FileStat
    text_hash: bytes
    title: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    reason: str = ""
    racy: bool = False


@frozen
class Touched:
    """A new stat for a note whose text did not change."""

    path: str
    stat: FileStat
    racy: bool = False


@frozen
class MovedNote:
    """A note whose text stands under another path now. `terms` are what the text index is to
    hold of each of its passages there, by the passage's id.
    """

    old: str
    new: str
    stat: FileStat
    racy: bool
    terms: Mapping[int, PassageTerms]


@frozen
class StoredPassage:
    """A passage as stored. `title` is the note's own title, "" where it has none."""

    id: int
    path: str
    kind: Kind
    ordinal: int
    start_offset: int
    end_offset: int
    start: Anchor
    end: Anchor
    title: str
    headings: tuple[str, ...]
    text: str
    hash: bytes


@frozen
class Label:
    """What a passage is called: where it stands, without its text."""

    path: str
    title: str
    headings: tuple[str, ...]


@frozen
class PendingPassage:
    """A passage without a vector, and what the model is to read of it."""

    id: int
    path: str
    hash: bytes
    embedded: str


@frozen
class PlanCounts:
    """What storing one note did to its passages.

    `n_kept` stayed as they are, `n_reused` took their vector from elsewhere (moved, cached),
    `n_new` wait for a vector, `n_deleted` are gone.
    """

    n_kept: int = 0
    n_reused: int = 0
    n_new: int = 0
    n_deleted: int = 0


@frozen
class Counts:
    """How far the index is. `n_passages_pending` have no vector yet; while another model is
    being built, of that model.
    """

    n_notes: int = 0
    n_failed: int = 0
    n_passages: int = 0
    n_passages_pending: int = 0


@frozen
class ModelInfo:
    """What tells vectors of one model from those of another.

    `window` is in tokens of the model's own tokenizer. `fingerprint` is a hash of the model
    file; `probe` the vector of a fixed sentence, compared by cosine.
    """

    name: str
    dim: int
    window: int
    fingerprint: str
    probe: Vector = field(repr=False)


@frozen
class Scored:
    """One row of a lane: the better, the higher. `score` is -bm25() or the cosine."""

    id: int
    score: float


@frozen
class Finding:
    """One thing `doctor` found wrong, in a sentence, and whether a repair mended it."""

    sentence: str
    repaired: bool = False


@frozen
class Dirty:
    """A file or folder ("" is the vault) that another process asks the indexer to look at;
    `forced` as in a re-index: it is read again even if it did not change.
    """

    id: int
    path: str
    forced: bool = False


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

    def holding(self, ids: Collection[int], terms: Sequence[str]) -> Mapping[int, frozenset[str]]:
        """Return which of `terms` each of the passages `ids` holds, in any column."""
        ...

    def n_holding(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many passages each term stands (document frequency)."""
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

    def labels(self, ids: Collection[int]) -> Mapping[int, Label]:
        """Return what passages are called, by id; one that is gone is absent."""
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

    def links_of(self, path: str) -> Sequence[str]:
        """Return the link targets a note writes."""
        ...

    def counts(self) -> Counts:
        """Return how far the index is."""
        ...

    def failures(self, limit: int) -> Sequence[tuple[str, str]]:
        """Return (path, reason) of notes that failed, by path."""
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

    def shared(self) -> str:
        """Return what the indexer shared last, "" when it never did."""
        ...

    def paused(self) -> bool:
        """Return whether the person paused the indexing of this vault; see `Index.pause`."""
        ...


class IndexWriter(Protocol):
    """Writes to one vault's index, each call one transaction. Raises `IndexUnusable`."""

    def put(self, notes: Sequence[NewNote]) -> Sequence[PlanCounts]:
        """Store notes: plan each against what is stored, keep what did not change."""
        ...

    def fail(self, path: str, kind: Kind, stat: FileStat, reason: str) -> None:
        """Record that a note cannot be read; its passages go."""
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

    def pause(self) -> None:
        """Record that the person paused the indexing of this vault, for every process and after
        a restart, until `unpause`. Any thread may call; it may wait for another's transaction.
        """
        ...

    def unpause(self) -> None:
        """Take `pause` back; nothing is written where nobody paused."""
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


class Workshop(Protocol):
    """Prepares many notes beside this process, so that a first index holds up nobody."""

    @property
    def n_places(self) -> int:
        """How many batches are worked on at once."""
        ...

    def prepare(self, batch: Sequence[RawNote]) -> Future[Sequence[NewNote | str]]:
        """Return a future of the notes in order, or for a note that cannot be parsed the
        reason. It fails with `OSError` when the helper is gone.
        """
        ...

    def close(self) -> None:
        """End at once; what is not done fails."""
        ...


class Lock(Protocol):
    """Says which process indexes a vault."""

    def acquire(self) -> bool:
        """Take the lock if it is free, without waiting; True when this process holds it."""
        ...

    def in_place(self) -> bool:
        """Return whether this process holds it: somebody may have taken it away."""
        ...

    def release(self) -> None:
        """Give the lock back; nothing when it is not held."""
        ...


class Watcher(Protocol):
    """Tells what changes below a folder, for clients that do not."""

    @property
    def notice(self) -> str:
        """A sentence when changes are seen late, else ""."""
        ...

    def close(self) -> None:
        """Stop watching and wait for it."""
        ...


class Power(Protocol):
    """What the computer runs on."""

    @property
    def on_battery(self) -> bool:
        """Whether it runs on battery now; never where there is none. Returns at once."""
        ...

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call `callback`, on a thread of the port, after `on_battery` changed."""
        ...

    def close(self) -> None:
        """Look no more; a callback that is running may call this."""
        ...


# --- the model ---------------------------------------------------------------------------

Role = Literal["document", "query"]
CountTokens = Callable[[Sequence[str]], Sequence[int]]


class Embedder(Protocol):
    """An embedding model, loaded."""

    @property
    def info(self) -> ModelInfo: ...

    def embed(self, text: str, role: Role) -> Sequence[Vector]:
        """Return the unit vectors of one text: one, or several for a document that is longer
        than the window; always one for a query (cut at the window).
        """
        ...
