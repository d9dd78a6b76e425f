// Generated from protocol/notekin_protocol/messages.py by `python -m notekin_protocol.generate`; do not edit.

export const protocolVersion = 1;

/** Whether the vaults hold what was asked for. */
export type Verdict =
  /** There are relevant passages. */
  | "found"
  /** Nothing indexed is relevant; hits, if any, are weak candidates. Failed and excluded notes do not prevent it. */
  | "notFound"
  /** Notes or vectors are still pending, or the model could not be loaded: the hits are what is known so far. */
  | "incomplete";

/** How to search. */
export type Mode =
  /** By words and by meaning. */
  | "hybrid"
  /** By words only. */
  | "lexical"
  /** By meaning only. */
  | "semantic";

/** What a note is. */
export type Kind =
  /** A Markdown note. */
  | "markdown"
  /** A plain text. */
  | "text"
  /** A PDF. */
  | "pdf";

/** What is being done to the index of a vault. */
export type Phase =
  /** The index is being opened. */
  | "starting"
  /** Files are being compared with the index. */
  | "scanning"
  /** Notes are being read: they become findable by words. */
  | "indexing"
  /** Vectors are being computed: notes become findable by meaning. */
  | "embedding"
  /** Everything is done. */
  | "idle"
  /** Nothing is done until it is resumed; see the reason. */
  | "paused"
  /** It cannot go on; see the reason. */
  | "failed";

/** Why the index of a vault is in its phase; clients show one they do not know as it is. */
export type Reason =
  /** The person paused it. */
  | "user"
  /** The person cancelled it. */
  | "cancelled"
  /** The computer runs on battery. */
  | "onBattery"
  /** Another process indexes this vault; this one reads. */
  | "otherProcess"
  /** The vectors are of another model and are being replaced. */
  | "modelChanged"
  /** The model cannot be loaded; search by words works. */
  | "modelMissing"
  /** The model failed at the passages that are left; see the failures. */
  | "modelFailed"
  /** The folder of the notes is gone, empty all at once or unreadable. */
  | "folderMissing"
  /** The index cannot be written. */
  | "readOnly"
  /** The disk is full. */
  | "noSpace"
  /** The index is damaged and could not be set aside. */
  | "damaged"
  /** The index is locked by another program. */
  | "busy"
  /** Indexing met an error of its own; a re-index tries again. */
  | "internal";

/** A place in a document, as in LSP. */
export interface Position {
  /** Line, from 0. */
  readonly line: number;
  /** Column, from 0, in units of the negotiated encoding. */
  readonly character: number;
}

/** A half-open range in a document, as in LSP. */
export interface Range {
  /** Where it begins. */
  readonly start: Position;
  /** Where it ends; this place is outside. */
  readonly end: Position;
}

/** A document, as in LSP. */
export interface TextDocumentIdentifier {
  /** The document's URI. */
  readonly uri: string;
}

/** A range in a document that stands in for another one, such as the text of a PDF. */
export interface DocumentRange {
  /** The readable document (`notekin-pdf:`), served by `workspace/textDocumentContent`. */
  readonly uri: string;
  /** The passage in it. */
  readonly range: Range;
}

/** A half-open range inside a hit's `text`. */
export interface Span {
  /** First UTF-16 code unit, from 0. */
  readonly start: number;
  /** The UTF-16 code unit after the last. */
  readonly end: number;
}

/** Notes of one vault. */
export interface NoteCounts {
  /** Indexed, pending and failed ones together. */
  readonly total: number;
  /** Findable by words. */
  readonly indexed: number;
  /** Known, and not looked at yet. */
  readonly pending: number;
  /** Could not be read; see `failures`. */
  readonly failed: number;
  /** Left out by ignore rules, whole folders counted once. */
  readonly excluded: number;
}

/** Passages of one vault. */
export interface ChunkCounts {
  /** All passages. */
  readonly total: number;
  /** Findable by meaning. */
  readonly embedded: number;
  /** Waiting for their vector. */
  readonly pending: number;
}

/** The embedding model whose vectors the index holds. */
export interface Model {
  /** Its name as in the settings. */
  readonly name: string;
  /** Numbers a vector; 0 before it was loaded once. */
  readonly dim: number;
  /** Hash of the model file; empty before it was loaded once. */
  readonly fingerprint: string;
}

/** A note that could not be indexed, or of which only a part could be read. */
export interface Failure {
  /** The note's URI. */
  readonly uri: string;
  /** A sentence for the person. */
  readonly reason: string;
  /** True for a PDF that a password opens; see `notekin/unlock`. */
  readonly needsPassword?: boolean;
}

/** How far the index of one vault is. */
export interface IndexStatus {
  /** URI of the vault. */
  readonly folder: string;
  /** What is being done. */
  readonly phase: Phase;
  /** Notes by state. */
  readonly notes: NoteCounts;
  /** Passages by state. */
  readonly chunks: ChunkCounts;
  /** The embedding model. */
  readonly model: Model;
  /** Grows with every change of notes or vectors. */
  readonly revision: number;
  /** The first 20 notes that could not be indexed. */
  readonly failures: readonly Failure[];
  /** Why it is in this phase. */
  readonly reason?: Reason | (string & Record<never, never>);
  /** The note being worked on, relative to the vault; of a PDF also the page: `paper.pdf p. 7 of 60`. */
  readonly current?: string;
  /** Estimated seconds until everything is embedded. */
  readonly etaSeconds?: number;
  /** The first 20 PDFs of which something could not be read, or was read from images. */
  readonly warnings?: readonly Failure[];
}

/** Params of `notekin/status`: none. */
export type StatusParams = Record<string, never>;

/** Params of `notekin/statusChanged`. */
export interface StatusChangedParams {
  /** The status of every vault. */
  readonly status: readonly IndexStatus[];
}

/** Params of `notekin/search`. Empty filters let everything through. */
export interface SearchParams {
  /** Words or a question, in any language. */
  readonly query: string;
  /** How many hits at most. */
  readonly limit?: number;
  /** How to search. */
  readonly mode?: Mode;
  /** URIs of folders or vaults to search in. */
  readonly folders?: readonly string[];
  /** Kinds of notes to search in. */
  readonly kinds?: readonly Kind[];
  /** Notes with one of these tags, or a tag below one (`a` ∋ `a/b`); `#` and case are no matter. */
  readonly tags?: readonly string[];
}

/** Params of `notekin/related`. */
export interface RelatedParams {
  /** The note to start from. */
  readonly textDocument: TextDocumentIdentifier;
  /** In the paragraph to start from; without it, the whole note. */
  readonly position?: Position;
  /** How many hits at most. */
  readonly limit?: number;
  /** Whether passages of the same note may be hits. */
  readonly includeSelf?: boolean;
}

/** A hit's place in one of the two lanes, words or meaning. */
export interface LaneScore {
  /** Place in the lane, from 1. */
  readonly rank: number;
  /** The lane's own score; the better, the higher. */
  readonly score: number;
}

/** One passage found. */
export interface Hit {
  /** URI of its vault. */
  readonly folder: string;
  /** `<path relative to the vault, '/' separated>#<n>`, n counting from 0 in document order: the same after any re-index of the same text. */
  readonly chunkId: string;
  /** URI of the note; of the PDF for a hit in one. */
  readonly uri: string;
  /** The document's text in it is `text`, unsaved edits included. Empty, at the start, for a PDF. */
  readonly range: Range;
  /** The note's title, or its file name. */
  readonly title: string;
  /** Headings the passage lies under, outermost first. */
  readonly headings: readonly string[];
  /** The passage. */
  readonly text: string;
  /** What to stress in `text`, in order. */
  readonly highlights: readonly Span[];
  /** From 0 to 1; the better, the higher. */
  readonly score: number;
  /** The page to open, from 1, for a PDF only: of those the passage stands on the one with the most of what was asked for, else the first. */
  readonly page?: number;
  /** First page of a passage that stands on several. */
  readonly firstPage?: number;
  /** Last page of a passage that stands on several. */
  readonly lastPage?: number;
  /** The PDF's readable text, and the passage in it. */
  readonly textDocument?: DocumentRange;
  /** Its place among hits by words, if it is one. */
  readonly lexical?: LaneScore;
  /** Its place among hits by meaning, if it is one; `score` is the cosine. */
  readonly semantic?: LaneScore;
  /** Whether the asking note already links to it. */
  readonly linked?: boolean;
  /** True for a candidate that is probably not relevant. */
  readonly weak?: boolean;
}

/** The answer to `notekin/search` and `notekin/related`. */
export interface SearchResult {
  /** Whether the vaults hold an answer. */
  readonly verdict: Verdict;
  /** Passages, best first. */
  readonly hits: readonly Hit[];
  /** The vaults that were searched. */
  readonly status: readonly IndexStatus[];
  /** Milliseconds the search took. */
  readonly tookMs: number;
}

/** Params of `notekin/reindex`; with neither a document nor a folder, all vaults. */
export interface ReindexParams {
  /** The one note to index again. */
  readonly textDocument?: TextDocumentIdentifier;
  /** URI of the folder or vault to index again. */
  readonly folder?: string;
  /** Whether to read notes again that did not change. */
  readonly force?: boolean;
}

/** The answer to `notekin/reindex`. */
export interface ReindexResult {
  /** How many notes will be looked at. */
  readonly queued: number;
}

/** Params of `notekin/pause`, `notekin/resume` and `notekin/cancel`. */
export interface FolderParams {
  /** URI of the vault; without it, all vaults. */
  readonly folder?: string;
}

/** Params of `notekin/unlock`. No log and no message of an error holds the passwords. */
export interface UnlockParams {
  /** All that the person gave; they take the place of those given before. */
  readonly passwords: readonly string[];
  /** A PDF that one of them must open; else all stays as it was. */
  readonly textDocument?: TextDocumentIdentifier;
}

/** The answer to `notekin/unlock`. */
export interface UnlockResult {
  /** False where none of the passwords opens `textDocument`. */
  readonly opened: boolean;
}

/** Params of `notekin/answer`. */
export interface AnswerParams {
  /** The question, in any language. */
  readonly question: string;
  /** How many passages to answer from at most. */
  readonly limit?: number;
  /** URIs of folders or vaults to answer from. */
  readonly folders?: readonly string[];
}

/** A passage that an answer rests on. */
export interface Citation {
  /** The number by which `text` cites it. */
  readonly marker: number;
  /** The passage. */
  readonly hit: Hit;
}

/** The answer to `notekin/answer`. */
export interface Answer {
  /** Whether the vaults hold an answer. */
  readonly verdict: Verdict;
  /** The answer, citing by marker. */
  readonly text: string;
  /** What it rests on. */
  readonly citations: readonly Citation[];
  /** Who phrased it; null when nobody did. */
  readonly provider: string | null;
}

/** What the server announces as `capabilities.experimental.notekin`. */
export interface ServerCapability {
  /** Version of this protocol. */
  readonly protocolVersion: number;
  /** The methods that the server really serves. */
  readonly methods: readonly string[];
}

/** What each request takes and gives. */
export interface Requests {
  /** Find passages by words and by meaning. */
  readonly "notekin/search": { params: SearchParams; result: SearchResult };
  /** Find passages of other notes related to a paragraph, unsaved text included, or a note. */
  readonly "notekin/related": { params: RelatedParams; result: SearchResult };
  /** Say how far the index of each vault is. */
  readonly "notekin/status": { params: StatusParams; result: readonly IndexStatus[] };
  /** Look at notes again, and index what changed. */
  readonly "notekin/reindex": { params: ReindexParams; result: ReindexResult };
  /** Stop indexing until it is resumed. */
  readonly "notekin/pause": { params: FolderParams; result: readonly IndexStatus[] };
  /** Go on with indexing that was paused or cancelled. */
  readonly "notekin/resume": { params: FolderParams; result: readonly IndexStatus[] };
  /** Stop the indexing that runs, until it is resumed, asked for again, or a restart. */
  readonly "notekin/cancel": { params: FolderParams; result: readonly IndexStatus[] };
  /** Read PDFs with these passwords, too. The server keeps them in memory until it ends, and nowhere else. */
  readonly "notekin/unlock": { params: UnlockParams; result: UnlockResult };
  /** Answer a question from the notes, with citations. */
  readonly "notekin/answer": { params: AnswerParams; result: Answer };
}

/** What each notification carries. */
export interface Notifications {
  /** Sent on every change of phase or counts, at most four a second, and always the last one. */
  readonly "notekin/statusChanged": StatusChangedParams;
}

/** The names of the requests. */
export const requests = {
  search: "notekin/search",
  related: "notekin/related",
  status: "notekin/status",
  reindex: "notekin/reindex",
  pause: "notekin/pause",
  resume: "notekin/resume",
  cancel: "notekin/cancel",
  unlock: "notekin/unlock",
  answer: "notekin/answer",
} as const;

/** Their twins for `workspace/executeCommand`. */
export const commands = {
  search: "notekin.search",
  related: "notekin.related",
  status: "notekin.status",
  reindex: "notekin.reindex",
  pause: "notekin.pause",
  resume: "notekin.resume",
  cancel: "notekin.cancel",
  unlock: "notekin.unlock",
  answer: "notekin.answer",
} as const;

/** The names of the notifications. */
export const notifications = {
  statusChanged: "notekin/statusChanged",
} as const;
