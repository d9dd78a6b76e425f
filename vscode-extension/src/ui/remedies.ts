/** Buttons that do what a message says. */

import * as vscode from "vscode";
import type { Trouble } from "../core/bootstrap";
import { messageOf, type Remedy } from "../core/troubles";
import { platformHere } from "../host/machine";
import { SECTION } from "./configuration";
import { t } from "./l10n";
import { openMachineSetting } from "./settingsEditor";

export interface Doing {
  retry(): Promise<void>;
  showLog(): void;
}

/** Tell what went wrong and do what the person picks. */
export async function tellTrouble(trouble: Trouble, doing: Doing): Promise<void> {
  const message = messageOf(trouble, platformHere(), t);
  if (message === undefined) return;
  const titles: Record<Remedy, string> = {
    pick: t("Pick Interpreter…"),
    retry: t("Try Again"),
    getPython: t("Get Python"),
    log: t("Show Log"),
    settings: t("Open Setting"),
    command: t("Open Setting"),
  };
  const buttons = message.remedies.map((remedy) => ({ title: titles[remedy], remedy }));
  const answer = await vscode.window.showErrorMessage(message.text, ...buttons);
  if (answer !== undefined) await remedies[answer.remedy](doing);
}

const remedies: Record<Remedy, (doing: Doing) => Promise<void>> = {
  pick: (doing) => pickInterpreter(doing),
  retry: (doing) => doing.retry(),
  getPython: async () => {
    await vscode.env.openExternal(vscode.Uri.parse("https://www.python.org/downloads/"));
  },
  log: (doing) => {
    doing.showLog();
    return Promise.resolve();
  },
  settings: () => openMachineSetting(`${SECTION}.python`),
  command: () => openMachineSetting(`${SECTION}.server.command`),
};

/** Let the person pick a Python, keep it as their setting, and try with it. */
export async function pickInterpreter(doing: Pick<Doing, "retry">): Promise<void> {
  const [picked] =
    (await vscode.window.showOpenDialog({
      title: t("Python 3.11 to 3.14 for Notekin"),
      openLabel: t("Use This Python"),
      canSelectFiles: true,
      canSelectMany: false,
    })) ?? [];
  if (picked === undefined) return;
  await vscode.workspace.getConfiguration(SECTION).update("python", picked.fsPath, vscode.ConfigurationTarget.Global);
  await doing.retry();
}
