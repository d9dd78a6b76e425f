/** The rows of an empty search: queries of before, and notes of late. */

import type { Translate } from "./l10n";
import type { Row } from "./rows";
import { inLabel } from "./text";

export interface RecentNote {
  readonly uri: string;
  readonly path: string;
}

const N_QUERIES = 5;
const N_NOTES = 10;

export function recentRows(history: readonly string[], notes: readonly RecentNote[], t: Translate): Row[] {
  const queries = history.slice(0, N_QUERIES).map((query): Row => ({ kind: "query", query, label: inLabel(query) }));
  const rows = notes.slice(0, N_NOTES).map((note): Row => {
    const at = Math.max(note.path.lastIndexOf("/"), note.path.lastIndexOf("\\"));
    return { kind: "note", uri: note.uri, label: inLabel(note.path.slice(at + 1)), description: inLabel(note.path.slice(0, Math.max(0, at))) };
  });
  return [
    ...(queries.length > 0 ? [{ kind: "group", label: t("recent searches") } as const, ...queries] : []),
    ...(rows.length > 0 ? [{ kind: "group", label: t("recent notes") } as const, ...rows] : []),
  ];
}
