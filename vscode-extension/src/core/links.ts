/** Links from one note to another, as people write them. */

import { placeOf } from "./places";
import type { Hit } from "./protocol";
import { oneLine } from "./text";

export type LinkStyle = "markdown" | "wiki";

/**
 * A link to a hit's note, and to the heading it lies under. `from` is the URI of the note the link
 * will stand in; without one, or from another drive, the link is absolute.
 */
export function linkTo(hit: Hit, from: string | undefined, style: LinkStyle): string {
  const heading = hit.headings.at(-1);
  const ownHeading = heading !== undefined && heading !== hit.title ? heading : undefined;
  if (style === "wiki") return wikiLink(hit, ownHeading);
  const target = from === undefined ? hit.uri : relativeUri(from, hit.uri);
  const page = hit.page === undefined ? "" : `#page=${hit.page}`;
  const anchor = page || (ownHeading === undefined ? "" : `#${encodeURIComponent(slug(ownHeading))}`);
  const label = oneLine(hit.title).replace(/[\\[\]]/g, "\\$&");
  return `[${label}](${target.replace(/[()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}${anchor})`;
}

function wikiLink(hit: Hit, heading: string | undefined): string {
  const name = decodeURIComponent(hit.uri.slice(hit.uri.lastIndexOf("/") + 1)).replace(/\.(md|markdown|mdx)$/i, "");
  const anchor = heading === undefined ? "" : `#${oneLine(heading).replace(/[[\]|#^]/g, "")}`;
  return `[[${name}${anchor}]]`;
}

/** A heading's anchor, as forges and VS Code's own Markdown make it. */
export function slug(heading: string): string {
  return oneLine(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replace(/ /g, "-");
}

/** The path from one file URI to another, still percent-encoded. */
export function relativeUri(from: string, to: string): string {
  const [fromRoot, ...fromParts] = split(from);
  const [toRoot, ...toParts] = split(to);
  if (fromRoot !== toRoot) return to;
  const folder = fromParts.slice(0, -1);
  let nShared = 0;
  while (nShared < folder.length && nShared < toParts.length - 1 && folder[nShared] === toParts[nShared]) nShared += 1;
  // On Windows the first part is a drive: from another one no relative path leads here.
  if (nShared === 0 && [folder[0], toParts[0]].some((part) => part !== undefined && /^[a-z](:|%3a)$/i.test(part))) return to;
  return [...folder.slice(nShared).map(() => ".."), ...toParts.slice(nShared)].join("/");
}

function split(uri: string): string[] {
  const match = /^([a-z][a-z\d+.-]*:\/\/[^/]*)\/(.*)$/i.exec(uri);
  return match === null ? [uri] : [match[1] ?? "", ...(match[2] ?? "").split("/")];
}

/** The note a hit lies in, whatever stands in for it. */
export function noteOf(hit: Hit): string {
  return hit.page === undefined ? placeOf(hit).uri : hit.uri;
}
