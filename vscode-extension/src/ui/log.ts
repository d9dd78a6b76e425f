import * as vscode from "vscode";

/** The one log of the extension and its server; it holds no text of a note. */
export function createLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel("Notekin", { log: true });
}
