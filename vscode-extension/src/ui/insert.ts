import * as vscode from "vscode";
import { linkTo } from "../core/links";
import type { Hit } from "../core/protocol";
import type { Configuration } from "./configuration";
import { t } from "./l10n";

/** Put a link in place of each selection; without an editor it goes to the clipboard. */
export async function insertLink(hit: Hit, editor: vscode.TextEditor | undefined, configuration: Configuration): Promise<void> {
  const from = editor?.document.uri.toString();
  const link = linkTo(hit, from, configuration.linkStyle(from));
  const isDone = await editor?.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, link);
  });
  if (isDone === true) return;
  await vscode.env.clipboard.writeText(link);
  void vscode.window.showInformationMessage(t("There is no note to insert the link into; it is on the clipboard."));
}
