/** What the status bar says: one short text for all vaults, the details in its tooltip. */

import type { Translate } from "./l10n";
import { counted } from "./numbers";
import type { IndexStatus, Phase } from "./protocol";
import { inMarkdown } from "./text";

/** How the server is, apart from what it says of its vaults. */
export type Server = "needsSetup" | "settingUp" | "starting" | "running" | "stopped";

export interface BarText {
  readonly text: string;
  readonly tooltip: string;
  /** For a screen reader: the same, without icons. */
  readonly spoken: string;
  readonly severity: "none" | "warning" | "error";
}

const WORKING: ReadonlySet<Phase> = new Set(["starting", "scanning", "indexing", "embedding"]);

/** The vaults' phases from the one that most needs telling to the one that needs it least. */
const ORDER: readonly Phase[] = ["failed", "indexing", "embedding", "scanning", "starting", "paused", "idle"];

export function barText(server: Server, statuses: readonly IndexStatus[], names: ReadonlyMap<string, string>, t: Translate): BarText {
  if (server !== "running") return serverText(server, t);
  const first = [...statuses].sort((one, other) => ORDER.indexOf(one.phase) - ORDER.indexOf(other.phase))[0];
  if (first === undefined) return plain("search", t("Notekin"), t("No folder of notes is open."));
  const said = phaseText(first.phase, statuses, t);
  const tooltip = statuses.map((status) => details(status, names.get(status.folder) ?? status.folder, t)).join("\n\n---\n\n");
  return {
    text: `$(${iconOf(first)}) ${said}`,
    tooltip,
    spoken: [said, reasonText(first.reason, t)].filter((part) => part !== "").join(", "),
    severity: first.phase === "failed" ? "error" : sum(statuses, (status) => status.notes.failed) > 0 ? "warning" : "none",
  };
}

/** Why nothing can be asked now. */
export function whyNotAsked(server: Server, t: Translate): { readonly text: string; readonly comesByItself: boolean } {
  switch (server) {
    case "running": // It ended a moment ago.
    case "starting":
      return { text: t("The server is starting."), comesByItself: true };
    case "settingUp":
      return { text: t("The server is being installed."), comesByItself: true };
    case "needsSetup":
    case "stopped":
      return { text: t("Notekin is not running; see its item in the status bar."), comesByItself: false };
  }
}

function serverText(server: Exclude<Server, "running">, t: Translate): BarText {
  switch (server) {
    case "needsSetup":
      return plain("cloud-download", t("Set up Notekin"), t("Notekin is not set up yet. Click to begin."));
    case "settingUp":
      return plain("sync~spin", t("Setting up Notekin"), t("The server is being installed."));
    case "starting":
      return plain("sync~spin", t("Notekin"), t("The server is starting."));
    case "stopped":
      return { ...plain("error", t("Notekin stopped"), t("The server ended. Click to start it again, or to see why.")), severity: "error" };
  }
}

function plain(icon: string, text: string, tooltip: string): BarText {
  return { text: `$(${icon}) ${text}`, tooltip, spoken: `${text}. ${tooltip}`, severity: "none" };
}

function iconOf(status: IndexStatus): string {
  if (WORKING.has(status.phase)) return "sync~spin";
  if (status.phase === "failed") return "error";
  return status.phase === "paused" ? "debug-pause" : "search";
}

function phaseText(phase: Phase, statuses: readonly IndexStatus[], t: Translate): string {
  const nNotes = sum(statuses, (status) => status.notes.total);
  const nRead = nNotes - sum(statuses, (status) => status.notes.pending);
  const nPassages = sum(statuses, (status) => status.chunks.total);
  const nEmbedded = sum(statuses, (status) => status.chunks.embedded);
  switch (phase) {
    case "starting":
      return t("Notekin: opening");
    case "scanning":
      return t("Notekin: looking for changes");
    case "indexing":
      return t("Notekin: {0} of {1} notes", counted(nRead), counted(nNotes));
    case "embedding":
      return t("Notekin: meaning {0} %", nPassages === 0 ? 0 : Math.floor((100 * nEmbedded) / nPassages));
    case "paused":
      return t("Notekin: paused");
    case "failed":
      return t("Notekin: failed");
    case "idle":
      return t("Notekin: {0} notes", counted(nNotes));
  }
}

/** Markdown about one vault; whatever stands in a note's name or a reason is shown as it is. */
export function details(status: IndexStatus, name: string, t: Translate): string {
  const { notes, chunks, model } = status;
  const lines = [
    `**${inMarkdown(name)}**`,
    [phaseName(status.phase, t), reasonText(status.reason, t)].filter((part) => part !== "").join(": "),
    t("{0} notes, {1} waiting, {2} unreadable, {3} left out", counted(notes.total), counted(notes.pending), counted(notes.failed), counted(notes.excluded)),
    t("{0} of {1} passages found by meaning", counted(chunks.embedded), counted(chunks.total)),
    t("model {0}", inMarkdown(model.name)),
    status.current === undefined ? "" : t("now: {0}", inMarkdown(status.current)),
    status.etaSeconds === undefined ? "" : t("ready in about {0}", duration(status.etaSeconds, t)),
    ...[...status.failures.slice(0, 3), ...(status.warnings ?? []).slice(0, 3)].map(
      (failure) => `$(warning) ${inMarkdown(fileName(failure.uri))}: ${inMarkdown(failure.reason)}`,
    ),
  ];
  return lines.filter((line) => line !== "").join("  \n");
}

function phaseName(phase: Phase, t: Translate): string {
  const names: Record<Phase, string> = {
    starting: t("The index is being opened"),
    scanning: t("Looking for changes"),
    indexing: t("Reading notes"),
    embedding: t("Computing meaning"),
    idle: t("Up to date"),
    paused: t("Paused"),
    failed: t("It cannot go on"),
  };
  return names[phase];
}

/** Why a vault is in its phase; a reason of a newer server is shown as it is. */
export function reasonText(reason: string | undefined, t: Translate): string {
  if (reason === undefined) return "";
  const names: Record<string, string> = {
    user: t("you paused it"),
    cancelled: t("you cancelled it"),
    onBattery: t("the computer runs on battery"),
    otherProcess: t("another window or program indexes this vault"),
    modelChanged: t("the vectors of another model are being replaced"),
    modelMissing: t("the model cannot be loaded; search by words works"),
    modelFailed: t("the model failed at the passages that are left"),
    folderMissing: t("the folder of the notes is gone, empty or unreadable"),
    readOnly: t("the index cannot be written"),
    noSpace: t("the disk is full"),
    damaged: t("the index is damaged"),
    busy: t("the index is locked by another program"),
    internal: t("Notekin met an error of its own; try again"),
  };
  return names[reason] ?? inMarkdown(reason);
}

export function isWorking(status: IndexStatus): boolean {
  return WORKING.has(status.phase);
}

function duration(seconds: number, t: Translate): string {
  if (seconds < 60) return t("{0} s", Math.max(1, Math.round(seconds)));
  return seconds < 5400 ? t("{0} min", Math.round(seconds / 60)) : t("{0} h", Math.round(seconds / 3600));
}

/** The name of the file of a URI, as people know it. */
export function fileName(uri: string): string {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function sum(statuses: readonly IndexStatus[], of: (status: IndexStatus) => number): number {
  return statuses.reduce((total, status) => total + of(status), 0);
}
