/** Related passages by note. */

import type { Hit } from "./protocol";

export interface NoteGroup {
  readonly uri: string;
  readonly title: string;
  readonly linked: boolean;
  readonly hits: readonly Hit[];
}

/** Groups in the order of their best hit; hits within a group in the server's order. */
export function byNote(hits: readonly Hit[]): NoteGroup[] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) groups.set(hit.uri, [...(groups.get(hit.uri) ?? []), hit]);
  return [...groups].map(([uri, own]) => ({
    uri,
    title: own[0]?.title ?? uri,
    linked: own.some((hit) => hit.linked === true),
    hits: own,
  }));
}
