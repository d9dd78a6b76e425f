/** Where a hit is in a document. */

import type { Hit, Position, Range } from "./protocol";

/** What to show for a hit: a document and the passage in it. */
export interface Place {
  readonly uri: string;
  readonly range: Range;
}

/** The readable place of a hit: for a PDF the text that stands in for it, where there is one. */
export function placeOf(hit: Hit): Place {
  return hit.textDocument ?? { uri: hit.uri, range: hit.range };
}

/** The page of a PDF with the PDF itself; undefined for any other note. */
export function pageOf(hit: Hit): { readonly uri: string; readonly page: number } | undefined {
  return hit.page === undefined ? undefined : { uri: hit.uri, page: hit.page };
}

const READABLE = "notekin-pdf:";

/** The PDF that a document makes readable; undefined for any other document. */
export function pdfOf(uri: string): string | undefined {
  return uri.startsWith(READABLE) && uri.endsWith(".md") ? `file:${uri.slice(READABLE.length, -".md".length)}` : undefined;
}

// The rest of what a hover says is inert, so nothing but the server's own links look like this.
const PDF_LINK = /\]\((file:\/\/[^\s()#]*)#page=(\d+)&line=(\d+)\)/g;

/**
 * A hover whose links to PDFs run `command`, which shows the page or the passage in the readable text:
 * the editor tells no viewer the page that a link names. `spelt` gives a URI the editor's spelling.
 */
export function withReadableLinks(markdown: string, command: string, spelt: (uri: string) => string): string {
  return markdown.replace(PDF_LINK, (_, uri: string, page: string, line: string) => {
    const start = { line: Math.max(0, Number(line) - 1), character: 0 };
    const argument = { uri: `${READABLE}${spelt(uri).slice("file:".length)}.md`, range: { start, end: start }, page: Number(page) };
    return `](command:${command}?${encodeURIComponent(JSON.stringify([argument])).replace(/[()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)})`;
  });
}

/** The ranges of a hit's highlights in its document. */
export function highlightRanges(hit: Hit): Range[] {
  const { start } = placeOf(hit).range;
  return hit.highlights.map((span) => ({
    start: positionAt(hit.text, span.start, start),
    end: positionAt(hit.text, span.end, start),
  }));
}

/** The position of an offset (UTF-16 code units) in a text that begins at `origin`. */
export function positionAt(text: string, offset: number, origin: Position): Position {
  // The line ends of LSP: \r\n counts once; other separators of Unicode end no line.
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const last = before.at(-1) ?? "";
  // An offset between \r and \n belongs to the line that ends there.
  const nLines = before.length - 1;
  return nLines === 0
    ? { line: origin.line, character: origin.character + last.length }
    : { line: origin.line + nLines, character: last.length };
}

/** Where to put the cursor: the first highlight, else the beginning. */
export function cursorOf(hit: Hit): Position {
  return highlightRanges(hit)[0]?.start ?? placeOf(hit).range.start;
}

/** A place that a link leads to. */
export interface Argument extends Place {
  /** The PDF that the place is the text of; else the same as `uri`. */
  readonly pdf: string;
  readonly page?: number;
}

/**
 * Read the argument of the command behind a link in a hover. Anybody's text may hold such a link:
 * only a place in a vault, or the text of one of its PDFs, is accepted.
 */
export function readOpenArgument(argument: unknown, folders: readonly string[]): Argument | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { uri, range, page } = argument as Record<string, unknown>;
  if (typeof uri !== "string") return undefined;
  const file = pdfOf(uri) ?? uri;
  if (!folders.some((folder) => file.startsWith(`${folder.replace(/\/$/, "")}/`))) return undefined;
  if (/(^|\/)\.\.?(\/|$)|%2e%2e|%2f|%5c/i.test(uri)) return undefined;
  const place = { uri, pdf: file, range: isRange(range) ? range : START };
  return typeof page === "number" && Number.isInteger(page) && page > 0 ? { ...place, page } : place;
}

const START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function isRange(value: unknown): value is Range {
  if (typeof value !== "object" || value === null) return false;
  const { start, end } = value as Record<string, unknown>;
  return isPosition(start) && isPosition(end);
}

function isPosition(value: unknown): value is Position {
  if (typeof value !== "object" || value === null) return false;
  const { line, character } = value as Record<string, unknown>;
  return [line, character].every((number) => Number.isInteger(number) && (number as number) >= 0);
}
