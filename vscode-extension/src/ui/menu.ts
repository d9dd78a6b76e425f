/** The menu behind the status bar. */

import * as vscode from "vscode";
import type { Failure } from "../core/protocol";
import { menuItems, type Action } from "../core/menu";
import type { Passwords } from "../core/passwords";
import { fileName, whyNotAsked } from "../core/status";
import { inLabel, inMessage, messageOf } from "../core/text";
import type { Controller } from "./controller";
import { t } from "./l10n";
import { pickModel } from "./modelPicker";
import { enterPassword } from "./passwords";
import type { Server } from "./server";
import { editorUri } from "./uris";

export class Menu {
  public constructor(
    private readonly controller: Controller,
    private readonly log: vscode.LogOutputChannel,
    private readonly passwords: Passwords,
  ) {}

  public async open(): Promise<void> {
    const { server, statuses } = this.controller.state;
    const items = menuItems(server, statuses, this.controller.methods, t);
    const chosen = await vscode.window.showQuickPick(items, { title: t("Notekin"), placeHolder: t("What to do") });
    if (chosen !== undefined) await this.act(chosen.action);
  }

  public async act(action: Action): Promise<void> {
    switch (action) {
      case "setUp":
        await this.controller.setUp();
        break;
      case "restart":
        await this.controller.restart();
        break;
      case "search":
        await vscode.commands.executeCommand("notekin.ui.search");
        break;
      case "pause":
        await this.ask((server) => server.request("pause", {}));
        break;
      case "resume":
      case "indexNow":
        await this.ask((server) => server.request("resume", {}));
        break;
      case "failures":
        await this.showFailures();
        break;
      case "rebuild":
        await this.ask((server) => server.request("reindex", { force: true }));
        break;
      case "model":
        await pickModel(this.controller.state.statuses);
        break;
      case "settings":
        await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:notekin.notekin");
        break;
      case "log":
        this.log.show();
        break;
    }
  }

  /** Send an order; what hinders it is told. */
  private async ask(order: (server: Server) => Promise<unknown>): Promise<void> {
    const server = this.controller.running;
    if (server === undefined) {
      void vscode.window.showWarningMessage(whyNotAsked(this.controller.state.server, t).text);
      return;
    }
    try {
      await order(server);
    } catch (error) {
      void vscode.window.showErrorMessage(inMessage(messageOf(error)));
    }
  }

  private async showFailures(): Promise<void> {
    const failures = this.controller.state.statuses.flatMap((status) => [...status.failures, ...(status.warnings ?? [])]);
    const items = failures.map((failure: Failure) => ({
      failure,
      label: `${failure.needsPassword === true ? "$(lock) " : ""}${inLabel(fileName(failure.uri))}`,
      description: inLabel(vscode.workspace.asRelativePath(editorUri(failure.uri))),
      detail: failure.needsPassword === true ? t("It needs a password. Choose it to enter one…") : inLabel(failure.reason),
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      title: t("Unreadable Notes"),
      placeHolder: items.length === 0 ? t("There are none") : t("Choose one to open it"),
    });
    if (chosen === undefined) return;
    const { uri, needsPassword } = chosen.failure;
    if (needsPassword === true) await this.ask(() => enterPassword(this.passwords, uri));
    else await vscode.commands.executeCommand("vscode.open", editorUri(uri));
  }
}
