/** What a search looks like: rows in the server's order, and what the verdict says. */

import type { Translate } from "./l10n";
import { counted } from "./numbers";
import { cursorOf } from "./places";
import type { Hit, IndexStatus, SearchResult } from "./protocol";
import { excerptAround, HEADING_MARK, inLabel } from "./text";

export type Row =
  | { readonly kind: "hit"; readonly hit: Hit; readonly label: string; readonly description: string; readonly detail: string }
  | { readonly kind: "told"; readonly icon: string; readonly label: string; readonly detail?: string }
  | { readonly kind: "query"; readonly query: string; readonly label: string }
  | { readonly kind: "note"; readonly uri: string; readonly label: string; readonly description: string }
  | { readonly kind: "group"; readonly label: string };

export interface Look {
  readonly scores: boolean;
  /** Whether several vaults are open, so that a row must say which one is meant. */
  readonly vaultNames: ReadonlyMap<string, string>;
}

/** All rows of an answer: what there is to say about it first, then the hits as they came. */
export function rowsOf(result: SearchResult, look: Look, t: Translate): Row[] {
  const told = tellingRow(result, t);
  return [...(told === undefined ? [] : [told]), ...result.hits.map((hit) => hitRow(hit, look, t))];
}

function hitRow(hit: Hit, look: Look, t: Translate): Row {
  const path = hit.headings.filter((heading) => heading !== hit.title).map(inLabel).join(HEADING_MARK);
  const place = hit.page === undefined ? t("line {0}", cursorOf(hit).line + 1) : t("page {0}", hit.page);
  const vault = look.vaultNames.size > 1 ? look.vaultNames.get(hit.folder) : undefined;
  const marks = [
    path,
    place,
    vault === undefined ? "" : inLabel(vault),
    hit.weak === true ? t("weak") : "",
    look.scores ? hit.score.toFixed(2) : "",
  ].filter((mark) => mark !== "");
  const detail = inLabel(excerptAround(hit.text, hit.highlights));
  return { kind: "hit", hit, label: inLabel(hit.title), description: marks.join("  ·  "), detail };
}

function tellingRow({ verdict, status, hits }: SearchResult, t: Translate): Row | undefined {
  if (verdict === "notFound") {
    return {
      kind: "told",
      icon: "circle-slash",
      label: t("Not found in your notes"),
      ...(hits.length === 0 ? {} : { detail: t("What follows is probably something else.") }),
    };
  }
  return verdict === "incomplete" ? { kind: "told", ...whyIncomplete(status, t) } : undefined;
}

function whyIncomplete(statuses: readonly IndexStatus[], t: Translate): { icon: string; label: string } {
  const sum = (of: (status: IndexStatus) => number): number => statuses.reduce((total, status) => total + of(status), 0);
  const nPending = sum((status) => status.notes.pending);
  const nTotal = sum((status) => status.notes.total);
  if (statuses.some((status) => status.phase === "starting")) return { icon: "sync~spin", label: t("The index is being opened") };
  if (nPending > 0) {
    return { icon: "sync~spin", label: t("Still indexing {0} of {1}", counted(nTotal - nPending), counted(nTotal)) };
  }
  if (statuses.some((status) => status.reason === "modelMissing")) {
    return { icon: "warning", label: t("By words only: the model cannot be loaded") };
  }
  if (sum((status) => status.chunks.pending) > 0) {
    const [nEmbedded, nChunks] = [sum((status) => status.chunks.embedded), sum((status) => status.chunks.total)];
    return nEmbedded === 0
      ? { icon: "sync~spin", label: t("By words only until the model is ready") }
      : { icon: "sync~spin", label: t("By meaning so far: {0} of {1} passages", counted(nEmbedded), counted(nChunks)) };
  }
  return { icon: "sync~spin", label: t("By words only until the model is ready") };
}
