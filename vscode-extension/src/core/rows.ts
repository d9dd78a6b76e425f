/** What a search looks like: rows in the server's order, and what the verdict says. */

import type { Translate } from "./l10n";
import { counted } from "./numbers";
import { cursorOf } from "./places";
import type { Hit, IndexStatus, SearchResult } from "./protocol";
import { isWorking, reasonText } from "./status";
import { excerptAround, HEADING_MARK, inLabel } from "./text";

export type Row =
  | { readonly kind: "hit"; readonly hit: Hit; readonly label: string; readonly description: string; readonly detail: string }
  | { readonly kind: "told"; readonly icon: string; readonly label: string; readonly detail?: string }
  | { readonly kind: "query"; readonly query: string; readonly label: string }
  | { readonly kind: "note"; readonly uri: string; readonly label: string; readonly description: string }
  | { readonly kind: "group"; readonly label: string };

/** Nothing can be asked yet, and nobody needs to do anything about it. */
export class NotYet extends Error {}

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

function whyIncomplete(statuses: readonly IndexStatus[], t: Translate): { icon: string; label: string; detail?: string } {
  const sum = (of: (status: IndexStatus) => number): number => statuses.reduce((total, status) => total + of(status), 0);
  const nPending = sum((status) => status.notes.pending);
  const nTotal = sum((status) => status.notes.total);
  const [nEmbedded, nChunks] = [sum((status) => status.chunks.embedded), sum((status) => status.chunks.total)];
  if (statuses.some((status) => status.phase === "starting")) return { icon: "sync~spin", label: t("The index is being opened") };
  const halt = haltOf(statuses, t);
  if (nPending > 0) {
    const numbers = [counted(nTotal - nPending), counted(nTotal)] as const;
    return halt === undefined
      ? { icon: "sync~spin", label: t("Still indexing {0} of {1}", ...numbers) }
      : { ...halt, label: t("Indexed so far: {0} of {1} notes", ...numbers) };
  }
  if (statuses.some((status) => status.reason === "modelMissing")) {
    return { icon: "warning", label: t("By words only: the model cannot be loaded") };
  }
  if (sum((status) => status.chunks.pending) > 0 && (nEmbedded > 0 || halt !== undefined)) {
    const label = t("By meaning so far: {0} of {1} passages", counted(nEmbedded), counted(nChunks));
    return { icon: "sync~spin", ...halt, label };
  }
  if (halt === undefined) return { icon: "sync~spin", label: t("By words only until the model is ready") };
  return { ...halt, label: halt.icon === PAUSED ? t("Indexing is paused") : t("The index cannot go on") };
}

const PAUSED = "debug-pause";


/** What stands still until somebody does something, and why; undefined while anything goes on by itself. */
function haltOf(statuses: readonly IndexStatus[], t: Translate): { icon: string; detail: string } | undefined {
  const goesOn = (status: IndexStatus): boolean => isWorking(status) || status.reason === "otherProcess";
  if (statuses.some(goesOn)) return undefined;
  const failed = statuses.find((status) => status.phase === "failed");
  const halted = failed ?? statuses.find((status) => status.phase === "paused" || status.reason === "onBattery");
  if (halted === undefined) return undefined;
  return { icon: failed === undefined ? PAUSED : "warning", detail: reasonText(halted.reason, t) };
}
