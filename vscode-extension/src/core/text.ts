/** Text of notes, made fit for places that would otherwise act on it or break it. */

import type { Span } from "./protocol";

// Same set as a terminal or a label would act on: controls and marks that turn the direction.
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g;

/** On one line, without characters that act instead of being shown. */
export function oneLine(text: string): string {
  return text.replace(CONTROLS, " ").replace(/\s+/g, " ").trim();
}

/** For labels, where the editor draws `$(name)` as an icon: shown as it is written. */
export function inLabel(text: string): string {
  return oneLine(text).replace(/\$\(/g, "\\$(");
}

/** For messages, where the editor makes links of `[text](address)`: shown as it is written. */
export function inMessage(text: string): string {
  return oneLine(text).replace(/\]\(/g, "] (");
}

/** For Markdown that the editor renders: every mark shown, no link made, nothing fetched. */
export function inMarkdown(text: string): string {
  return inLabel(text.replace(/[!-#%-/:-@[-`{-~]/g, "\\$&"));
}

/** What stands between the headings of a path. */
export const HEADING_MARK = " › ";

const OWN_HEADINGS = /^(?:[ ]{0,3}#{1,6}[ \t][^\r\n]*[\r\n\s]*)+/;

/** The line of marks under a table's head, which says nothing to who reads one line. */
const TABLE_RULE = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$/gm;

function excerptLine(text: string): string {
  return oneLine(text.replace(TABLE_RULE, " "));
}

/**
 * One line of a passage around its first highlight, at most `limit` UTF-16 code units and two
 * marks for what was left out. A cut falls between words where there is one near. Headings that
 * the passage begins with are left out, unless they are all of it: whoever shows it names them.
 */
export function excerptAround(text: string, highlights: readonly Span[], limit = 160): string {
  const heading = OWN_HEADINGS.exec(text)?.[0].length ?? 0;
  const begin = heading < text.length ? heading : 0;
  const first = highlights.find((span) => span.start >= begin)?.start ?? begin;
  const whole = excerptLine(text.slice(begin));
  if (whole.length <= limit) return whole;
  // The highlight moved with the blanks that were joined in front of it.
  const at = excerptLine(text.slice(begin, first) + "x").length - 1;
  const start = at < limit / 2 ? 0 : wordStart(whole, Math.min(at - Math.floor(limit / 4), whole.length - limit));
  const end = start + limit >= whole.length ? whole.length : wordEnd(whole, start + limit, start);
  return `${start > 0 ? "…" : ""}${whole.slice(start, end).trim()}${end < whole.length ? "…" : ""}`;
}

function wordStart(text: string, at: number): number {
  const blank = text.indexOf(" ", at);
  return blank >= 0 && blank - at < 20 ? blank + 1 : whole(text, at);
}

function wordEnd(text: string, at: number, start: number): number {
  const blank = text.lastIndexOf(" ", at);
  return blank > start && at - blank < 20 ? blank : whole(text, at);
}

/** The place itself, or the one before it where it would cut a surrogate pair in two. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** What a caught error says; anything can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
