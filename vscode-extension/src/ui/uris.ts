/** URIs between server and editor. The server writes them its own way; they name the same files. */

import * as vscode from "vscode";

/** The scheme of the readable texts of PDFs. */
export const READABLE_SCHEME = "notekin-pdf";

export function folderNames(): Map<string, string> {
  return new Map((vscode.workspace.workspaceFolders ?? []).map((folder) => [folder.uri.toString(), folder.name]));
}

export function folderPaths(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
}

/** One spelling for one file: the editor's. */
export function editorUri(uri: string): vscode.Uri {
  return vscode.Uri.parse(uri, true);
}

/** The spelling that both sides use for comparing. */
export function sameSpelling(uri: string): string {
  return editorUri(uri).toString();
}
