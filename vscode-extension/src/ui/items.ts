/** Rows as items of a picker. */

import * as vscode from "vscode";
import type { Hit, Mode } from "../core/protocol";
import { NotYet, type Row } from "../core/rows";
import { modeName, scopeName, type Scope } from "../core/scope";
import { inLabel, messageOf } from "../core/text";
import { t } from "./l10n";

export interface Item extends vscode.QuickPickItem {
  readonly row: Row;
}

export interface RowButton extends vscode.QuickInputButton {
  readonly does: "insert" | "copy" | "pdf";
}

export function itemOf(row: Row): Item {
  // The editor filters by what was typed; every row is there because the server says so.
  const base = { row, label: row.label, alwaysShow: true };
  switch (row.kind) {
    case "hit":
      return {
        ...base,
        iconPath: new vscode.ThemeIcon(row.hit.page === undefined ? "markdown" : "file-pdf"),
        description: row.description,
        detail: row.detail,
        buttons: row.hit.page === undefined ? [INSERT(), COPY()] : [INSERT(), COPY(), PDF()],
      };
    case "told":
      return { ...base, label: `$(${row.icon}) ${row.label}`, ...(row.detail === undefined ? {} : { detail: row.detail }) };
    case "query":
      return { ...base, iconPath: new vscode.ThemeIcon("history") };
    case "note":
      return { ...base, iconPath: new vscode.ThemeIcon("file"), description: row.description };
    case "group":
      return { ...base, kind: vscode.QuickPickItemKind.Separator };
  }
}

const INSERT = (): RowButton => ({ does: "insert", iconPath: new vscode.ThemeIcon("link"), tooltip: t("Insert a link at the cursor") });
const COPY = (): RowButton => ({ does: "copy", iconPath: new vscode.ThemeIcon("copy"), tooltip: t("Copy a link") });
const PDF = (): RowButton => ({ does: "pdf", iconPath: new vscode.ThemeIcon("go-to-file"), tooltip: t("Open the PDF at this page") });

/** The row that says why there are no others; what is waited for comes by itself. */
export function errorItem(error: unknown): Item {
  const label = inLabel(messageOf(error));
  return itemOf({ kind: "told", icon: error instanceof NotYet ? "sync~spin" : "error", label });
}

/** A button of the picker itself, with what it does. */
export interface BarButton extends vscode.QuickInputButton {
  readonly press: () => void;
}

/** Buttons for the next scope, where there is another, and the next mode. */
export function barButtons(scope: Scope | undefined, mode: Mode, picker: { nextScope(): void; nextMode(): void }): BarButton[] {
  const button = (icon: string, name: string, press: () => void): BarButton => ({
    iconPath: new vscode.ThemeIcon(icon),
    tooltip: t("Search {0} instead", name),
    press,
  });
  return [
    ...(scope === undefined ? [] : [button("folder", scopeName(scope, t), () => { picker.nextScope(); })]),
    button("settings", modeName(mode, t), () => { picker.nextMode(); }),
  ];
}

/** The row of a passage; where there is none, that of the first hit. */
export function rowFor(chunkId: string | undefined, items: readonly Item[]): Item | undefined {
  const hits = items.filter((item) => hitOf(item) !== undefined);
  return hits.find((item) => hitOf(item)?.chunkId === chunkId) ?? hits[0];
}

/** The hit behind a row; undefined for a row of another kind. */
export function hitOf(item: Item | undefined): Hit | undefined {
  return item?.row.kind === "hit" ? item.row.hit : undefined;
}
