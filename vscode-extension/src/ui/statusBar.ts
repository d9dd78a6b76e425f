import * as vscode from "vscode";
import { barText } from "../core/status";
import type { State } from "./controller";
import { t } from "./l10n";
import { folderNames } from "./uris";

/** The item in the status bar; a click opens the menu. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("notekin.status", vscode.StatusBarAlignment.Right, 90);

  public constructor() {
    this.item.name = t("Notekin");
    this.item.command = "notekin.ui.menu";
    this.item.show();
  }

  public show({ server, statuses }: State): void {
    const { text, tooltip, spoken, severity } = barText(server, statuses, folderNames(), t);
    this.item.text = text;
    this.item.tooltip = new vscode.MarkdownString(tooltip, true);
    this.item.accessibilityInformation = { label: spoken, role: "button" };
    this.item.backgroundColor = severity === "error" ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
  }

  public dispose(): void {
    this.item.dispose();
  }
}
