"""Every message of Notekin's own protocol: the one source.

The TypeScript types (`protocol/typescript/protocol.ts`) and the reference page
(`docs/reference/protocol.md`) are generated from this file by `notekin_protocol.generate`;
`notekin_protocol.convert` reads and writes the classes as JSON. Attributes are snake_case
here and camelCase on the wire. A field with a default may be left out by the sender; one
whose default is None is left out of the JSON when it is None.

Positions are LSP positions in the negotiated encoding (UTF-16 unless the client asks for
another), offsets inside `text` are UTF-16 code units, documents and folders are URIs. The
file holds the whole contract; a server announces the methods that it serves
(`ServerCapability`).
"""

from typing import Any, Literal

from attrs import field, frozen

PROTOCOL_VERSION = 1

Verdict = Literal["found", "notFound", "incomplete"]
Mode = Literal["hybrid", "lexical", "semantic"]
Kind = Literal["markdown", "text", "pdf"]
Phase = Literal["starting", "scanning", "indexing", "embedding", "idle", "paused", "failed"]
Reason = Literal[
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


def about(doc: str, *, at_least: int | None = None) -> dict[str, Any]:
    """Return the metadata of a field: its sentence in the reference, its smallest number."""
    return {"doc": doc, "at_least": at_least}


# --- places ------------------------------------------------------------------------------


@frozen
class Position:
    """A place in a document, as in LSP."""

    line: int = field(metadata=about("Line, from 0.", at_least=0))
    character: int = field(
        metadata=about("Column, from 0, in units of the negotiated encoding.", at_least=0)
    )


@frozen
class Range:
    """A half-open range in a document, as in LSP."""

    start: Position = field(metadata=about("Where it begins."))
    end: Position = field(metadata=about("Where it ends; this place is outside."))


@frozen
class TextDocumentIdentifier:
    """A document, as in LSP."""

    uri: str = field(metadata=about("The document's URI."))


@frozen
class DocumentRange:
    """A range in a document that stands in for another one, such as the text of a PDF."""

    uri: str = field(
        metadata=about(
            "The readable document (`notekin-pdf:`), served by `workspace/textDocumentContent`."
        )
    )
    range: Range = field(metadata=about("The passage in it."))


@frozen
class Span:
    """A half-open range inside a hit's `text`."""

    start: int = field(metadata=about("First UTF-16 code unit, from 0.", at_least=0))
    end: int = field(metadata=about("The UTF-16 code unit after the last.", at_least=0))


# --- status ------------------------------------------------------------------------------


@frozen
class NoteCounts:
    """Notes of one vault."""

    total: int = field(metadata=about("Indexed, pending and failed ones together.", at_least=0))
    indexed: int = field(metadata=about("Findable by words.", at_least=0))
    pending: int = field(metadata=about("Known, and not looked at yet.", at_least=0))
    failed: int = field(metadata=about("Could not be read; see `failures`.", at_least=0))
    excluded: int = field(
        metadata=about("Left out by ignore rules, whole folders counted once.", at_least=0)
    )


@frozen
class ChunkCounts:
    """Passages of one vault."""

    total: int = field(metadata=about("All passages.", at_least=0))
    embedded: int = field(metadata=about("Findable by meaning.", at_least=0))
    pending: int = field(metadata=about("Waiting for their vector.", at_least=0))


@frozen
class Model:
    """The embedding model whose vectors the index holds."""

    name: str = field(metadata=about("Its name as in the settings."))
    dim: int = field(metadata=about("Numbers a vector; 0 before it was loaded once.", at_least=0))
    fingerprint: str = field(
        metadata=about("Hash of the model file; empty before it was loaded once.")
    )


@frozen
class Failure:
    """A note that could not be indexed, or of which only a part could be read."""

    uri: str = field(metadata=about("The note's URI."))
    reason: str = field(metadata=about("A sentence for the person."))
    needs_password: bool | None = field(
        default=None,
        metadata=about("True for a PDF that a password opens; see `notekin/unlock`."),
    )


@frozen
class IndexStatus:
    """How far the index of one vault is."""

    folder: str = field(metadata=about("URI of the vault."))
    phase: Phase = field(metadata=about("What is being done."))
    notes: NoteCounts = field(metadata=about("Notes by state."))
    chunks: ChunkCounts = field(metadata=about("Passages by state."))
    model: Model = field(metadata=about("The embedding model."))
    revision: int = field(
        metadata=about("Grows with every change of notes or vectors.", at_least=0)
    )
    failures: tuple[Failure, ...] = field(
        metadata=about("The first 20 notes that could not be indexed.")
    )
    reason: Reason | str | None = field(default=None, metadata=about("Why it is in this phase."))
    current: str | None = field(
        default=None,
        metadata=about(
            "The note being worked on, relative to the vault; of a PDF also the page: "
            "`paper.pdf p. 7 of 60`."
        ),
    )
    eta_seconds: float | None = field(
        default=None, metadata=about("Estimated seconds until everything is embedded.", at_least=0)
    )
    warnings: tuple[Failure, ...] | None = field(
        default=None,
        metadata=about(
            "The first 20 PDFs of which something could not be read, or was read from images."
        ),
    )


@frozen
class StatusParams:
    """Params of `notekin/status`: none."""


@frozen
class StatusChangedParams:
    """Params of `notekin/statusChanged`."""

    status: tuple[IndexStatus, ...] = field(metadata=about("The status of every vault."))


# --- search ------------------------------------------------------------------------------


@frozen
class SearchParams:
    """Params of `notekin/search`. Empty filters let everything through."""

    query: str = field(metadata=about("Words or a question, in any language."))
    limit: int = field(default=10, metadata=about("How many hits at most.", at_least=1))
    mode: Mode = field(default="hybrid", metadata=about("How to search."))
    folders: tuple[str, ...] = field(
        default=(), metadata=about("URIs of folders or vaults to search in.")
    )
    kinds: tuple[Kind, ...] = field(default=(), metadata=about("Kinds of notes to search in."))
    tags: tuple[str, ...] = field(
        default=(),
        metadata=about(
            "Notes with one of these tags, or a tag below one (`a` ∋ `a/b`); `#` and case are "
            "no matter."
        ),
    )


@frozen
class RelatedParams:
    """Params of `notekin/related`."""

    text_document: TextDocumentIdentifier = field(metadata=about("The note to start from."))
    position: Position | None = field(
        default=None,
        metadata=about("In the paragraph to start from; without it, the whole note."),
    )
    limit: int = field(default=5, metadata=about("How many hits at most.", at_least=1))
    include_self: bool = field(
        default=False, metadata=about("Whether passages of the same note may be hits.")
    )


@frozen
class LaneScore:
    """A hit's place in one of the two lanes, words or meaning."""

    rank: int = field(metadata=about("Place in the lane, from 1.", at_least=1))
    score: float = field(metadata=about("The lane's own score; the better, the higher."))


@frozen
class Hit:
    """One passage found."""

    folder: str = field(metadata=about("URI of its vault."))
    chunk_id: str = field(
        metadata=about(
            "`<path relative to the vault, '/' separated>#<n>`, n counting from 0 in document "
            "order: the same after any re-index of the same text."
        )
    )
    uri: str = field(metadata=about("URI of the note; of the PDF for a hit in one."))
    range: Range = field(
        metadata=about(
            "The document's text in it is `text`, unsaved edits included. Empty, at the start, "
            "for a PDF."
        )
    )
    title: str = field(metadata=about("The note's title, or its file name."))
    headings: tuple[str, ...] = field(
        metadata=about("Headings the passage lies under, outermost first.")
    )
    text: str = field(metadata=about("The passage."))
    highlights: tuple[Span, ...] = field(metadata=about("What to stress in `text`, in order."))
    score: float = field(metadata=about("From 0 to 1; the better, the higher."))
    page: int | None = field(
        default=None,
        metadata=about(
            "The page to open, from 1, for a PDF only: of those the passage stands on the one with "
            "the most of what was asked for, else the first.",
            at_least=1,
        ),
    )
    first_page: int | None = field(
        default=None,
        metadata=about("First page of a passage that stands on several.", at_least=1),
    )
    last_page: int | None = field(
        default=None, metadata=about("Last page of a passage that stands on several.", at_least=1)
    )
    text_document: DocumentRange | None = field(
        default=None, metadata=about("The PDF's readable text, and the passage in it.")
    )
    lexical: LaneScore | None = field(
        default=None, metadata=about("Its place among hits by words, if it is one.")
    )
    semantic: LaneScore | None = field(
        default=None,
        metadata=about("Its place among hits by meaning, if it is one; `score` is the cosine."),
    )
    linked: bool | None = field(
        default=None, metadata=about("Whether the asking note already links to it.")
    )
    weak: bool | None = field(
        default=None, metadata=about("True for a candidate that is probably not relevant.")
    )


@frozen
class SearchResult:
    """The answer to `notekin/search` and `notekin/related`."""

    verdict: Verdict = field(metadata=about("Whether the vaults hold an answer."))
    hits: tuple[Hit, ...] = field(metadata=about("Passages, best first."))
    status: tuple[IndexStatus, ...] = field(metadata=about("The vaults that were searched."))
    took_ms: float = field(metadata=about("Milliseconds the search took.", at_least=0))


# --- life cycle --------------------------------------------------------------------------


@frozen
class ReindexParams:
    """Params of `notekin/reindex`; with neither a document nor a folder, all vaults."""

    text_document: TextDocumentIdentifier | None = field(
        default=None, metadata=about("The one note to index again.")
    )
    folder: str | None = field(
        default=None, metadata=about("URI of the folder or vault to index again.")
    )
    force: bool = field(
        default=False, metadata=about("Whether to read notes again that did not change.")
    )


@frozen
class ReindexResult:
    """The answer to `notekin/reindex`."""

    queued: int = field(metadata=about("How many notes will be looked at.", at_least=0))


@frozen
class FolderParams:
    """Params of `notekin/pause`, `notekin/resume` and `notekin/cancel`."""

    folder: str | None = field(
        default=None, metadata=about("URI of the vault; without it, all vaults.")
    )


@frozen
class UnlockParams:
    """Params of `notekin/unlock`. No log and no message of an error holds the passwords."""

    passwords: tuple[str, ...] = field(
        repr=False,
        metadata=about("All that the person gave; they take the place of those given before."),
    )
    text_document: TextDocumentIdentifier | None = field(
        default=None,
        metadata=about("A PDF that one of them must open; else all stays as it was."),
    )


@frozen
class UnlockResult:
    """The answer to `notekin/unlock`."""

    opened: bool = field(metadata=about("False where none of the passwords opens `textDocument`."))


# --- answers -----------------------------------------------------------------------------


@frozen
class AnswerParams:
    """Params of `notekin/answer`."""

    question: str = field(metadata=about("The question, in any language."))
    limit: int | None = field(
        default=None, metadata=about("How many passages to answer from at most.", at_least=1)
    )
    folders: tuple[str, ...] = field(
        default=(), metadata=about("URIs of folders or vaults to answer from.")
    )


@frozen
class Citation:
    """A passage that an answer rests on."""

    marker: int = field(metadata=about("The number by which `text` cites it.", at_least=1))
    hit: Hit = field(metadata=about("The passage."))


@frozen
class Answer:
    """The answer to `notekin/answer`."""

    verdict: Verdict = field(metadata=about("Whether the vaults hold an answer."))
    text: str = field(metadata=about("The answer, citing by marker."))
    citations: tuple[Citation, ...] = field(metadata=about("What it rests on."))
    provider: str | None = field(metadata=about("Who phrased it; null when nobody did."))


# --- capability --------------------------------------------------------------------------


@frozen
class ServerCapability:
    """What the server announces as `capabilities.experimental.notekin`."""

    protocol_version: int = field(metadata=about("Version of this protocol.", at_least=1))
    methods: tuple[str, ...] = field(metadata=about("The methods that the server really serves."))


# --- the table of contents ---------------------------------------------------------------


@frozen
class Request:
    """A request of the client. `result` is a message class or a tuple of one."""

    name: str
    params: type
    result: Any
    doc: str

    @property
    def command(self) -> str:
        """Its twin for `workspace/executeCommand`, with the params object as one argument."""
        return self.name.replace("/", ".")


@frozen
class Notification:
    """A notification of the server."""

    name: str
    params: type
    doc: str


@frozen
class ErrorCode:
    """A JSON-RPC error that a request may be answered with."""

    code: int
    doc: str


@frozen
class Choices:
    """A set of words, and what each of them says."""

    name: str
    kind: Any
    doc: str
    values: dict[str, str]


REQUESTS = (
    Request(
        "notekin/search",
        SearchParams,
        SearchResult,
        "Find passages by words and by meaning.",
    ),
    Request(
        "notekin/related",
        RelatedParams,
        SearchResult,
        "Find passages of other notes related to a paragraph, unsaved text included, or a note.",
    ),
    Request(
        "notekin/status",
        StatusParams,
        tuple[IndexStatus, ...],
        "Say how far the index of each vault is.",
    ),
    Request(
        "notekin/reindex",
        ReindexParams,
        ReindexResult,
        "Look at notes again, and index what changed.",
    ),
    Request(
        "notekin/pause",
        FolderParams,
        tuple[IndexStatus, ...],
        "Stop indexing until it is resumed.",
    ),
    Request(
        "notekin/resume",
        FolderParams,
        tuple[IndexStatus, ...],
        "Go on with indexing that was paused or cancelled.",
    ),
    Request(
        "notekin/cancel",
        FolderParams,
        tuple[IndexStatus, ...],
        "Stop the indexing that runs, until it is resumed, asked for again, or a restart.",
    ),
    Request(
        "notekin/unlock",
        UnlockParams,
        UnlockResult,
        "Read PDFs with these passwords, too. The server keeps them in memory until it ends, and "
        "nowhere else.",
    ),
    Request(
        "notekin/answer",
        AnswerParams,
        Answer,
        "Answer a question from the notes, with citations.",
    ),
)

NOTIFICATIONS = (
    Notification(
        "notekin/statusChanged",
        StatusChangedParams,
        "Sent on every change of phase or counts, at most four a second, and always the last one.",
    ),
)

ERRORS = (
    ErrorCode(-32601, "The server does not serve this method."),
    ErrorCode(-32602, "The params are malformed; the message names the field and what it must be."),
    ErrorCode(-32800, "The request was cancelled, and its work stopped."),
    ErrorCode(-32801, "The document changed while the request was being answered."),
    ErrorCode(-32803, "The request failed; the message says why and what to do."),
)

CHOICES = (
    Choices(
        "Verdict",
        Verdict,
        "Whether the vaults hold what was asked for.",
        {
            "found": "There are relevant passages.",
            "notFound": "Nothing indexed is relevant; hits, if any, are weak candidates. Failed "
            "and excluded notes do not prevent it.",
            "incomplete": "Notes or vectors are still pending, or the model could not be loaded: "
            "the hits are what is known so far.",
        },
    ),
    Choices(
        "Mode",
        Mode,
        "How to search.",
        {
            "hybrid": "By words and by meaning.",
            "lexical": "By words only.",
            "semantic": "By meaning only.",
        },
    ),
    Choices(
        "Kind",
        Kind,
        "What a note is.",
        {"markdown": "A Markdown note.", "text": "A plain text.", "pdf": "A PDF."},
    ),
    Choices(
        "Phase",
        Phase,
        "What is being done to the index of a vault.",
        {
            "starting": "The index is being opened.",
            "scanning": "Files are being compared with the index.",
            "indexing": "Notes are being read: they become findable by words.",
            "embedding": "Vectors are being computed: notes become findable by meaning.",
            "idle": "Everything is done.",
            "paused": "Nothing is done until it is resumed; see the reason.",
            "failed": "It cannot go on; see the reason.",
        },
    ),
    Choices(
        "Reason",
        Reason,
        "Why the index of a vault is in its phase; clients show one they do not know as it is.",
        {
            "user": "The person paused it.",
            "cancelled": "The person cancelled it.",
            "onBattery": "The computer runs on battery.",
            "otherProcess": "Another process indexes this vault; this one reads.",
            "modelChanged": "The vectors are of another model and are being replaced.",
            "modelMissing": "The model cannot be loaded; search by words works.",
            "modelFailed": "The model failed at the passages that are left; see the failures.",
            "folderMissing": "The folder of the notes is gone, empty all at once or unreadable.",
            "readOnly": "The index cannot be written.",
            "noSpace": "The disk is full.",
            "damaged": "The index is damaged and could not be set aside.",
            "busy": "The index is locked by another program.",
            "internal": "Indexing met an error of its own; a re-index tries again.",
        },
    ),
)
