/** What the status bar's menu offers, by how things are. */

import type { Translate } from "./l10n";
import type { IndexStatus } from "./protocol";
import { counted } from "./numbers";
import { isWorking, type Server } from "./status";

export type Action =
  | "setUp"
  | "restart"
  | "search"
  | "pause"
  | "resume"
  | "indexNow"
  | "failures"
  | "rebuild"
  | "model"
  | "log"
  | "settings";

export interface MenuItem {
  readonly action: Action;
  readonly label: string;
  readonly detail?: string;
}

/** `methods` are those that the server announced: what it does not serve is not offered. */
export function menuItems(server: Server, statuses: readonly IndexStatus[], methods: readonly string[], t: Translate): MenuItem[] {
  const always: MenuItem[] = [
    { action: "model", label: t("$(symbol-misc) Change the Model…"), detail: t("Every passage is embedded again; search by words goes on.") },
    { action: "settings", label: t("$(gear) Settings") },
    { action: "log", label: t("$(output) Open the Log") },
  ];
  if (server === "needsSetup" || server === "settingUp") {
    return [{ action: "setUp", label: t("$(cloud-download) Set Up Notekin") }, ...always.slice(1)];
  }
  if (server === "stopped") return [{ action: "restart", label: t("$(debug-restart) Start the Server Again") }, ...always];
  return [
    { action: "search", label: t("$(search) Search Notes") },
    ...working(statuses, methods, t),
    ...failures(statuses, t),
    ...(methods.includes("notekin/reindex")
      ? [{ action: "rebuild", label: t("$(refresh) Read All Notes Again"), detail: t("Vectors of passages that did not change are kept.") } as const]
      : []),
    ...always,
    { action: "restart", label: t("$(debug-restart) Restart the Server") },
  ];
}

function working(statuses: readonly IndexStatus[], methods: readonly string[], t: Translate): MenuItem[] {
  const paused = statuses.filter((status) => status.phase === "paused" && status.reason !== "otherProcess");
  const items: MenuItem[] = [];
  if (methods.includes("notekin/resume")) {
    if (statuses.some((status) => status.phase === "failed")) {
      items.push({ action: "resume", label: t("$(debug-restart) Try Again") });
    }
    if (statuses.some((status) => status.reason === "onBattery")) {
      items.push({ action: "indexNow", label: t("$(zap) Index Now, Although on Battery") });
    }
    if (paused.some((status) => status.reason !== "onBattery")) {
      items.push({ action: "resume", label: t("$(debug-start) Resume Indexing") });
    }
  }
  const canPause = methods.includes("notekin/pause") && statuses.some((status) => isWorking(status) || status.phase === "idle");
  if (canPause) items.push({ action: "pause", label: t("$(debug-pause) Pause Indexing") });
  return items;
}

function failures(statuses: readonly IndexStatus[], t: Translate): MenuItem[] {
  const nFailed = statuses.reduce((total, status) => total + status.notes.failed + (status.warnings?.length ?? 0), 0);
  if (nFailed === 0) return [];
  const label = nFailed === 1 ? t("$(warning) Show the Unreadable Note") : t("$(warning) Show {0} Unreadable Notes", counted(nFailed));
  return [{ action: "failures", label }];
}
