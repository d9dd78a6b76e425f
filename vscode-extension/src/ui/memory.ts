/** What is remembered between sessions, in this workspace only. */

import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { readHistory, remember } from "../core/history";
import type { RecentNote } from "../core/recent";

const QUERIES = "search.history";
const NOTES = "search.recentNotes";
const N_NOTES = 12;
const NOTE = /\.(md|markdown|mdx|txt|text|org|rst|pdf)$/i;

export class Memory {
  public constructor(private readonly state: vscode.Memento) {}

  public queries(): readonly string[] {
    return readHistory(this.state.get(QUERIES));
  }

  public rememberQuery(query: string): void {
    void this.state.update(QUERIES, remember(this.queries(), query));
  }

  /** Called for every document that comes to the front. */
  public visited(document: vscode.TextDocument | undefined): void {
    if (document?.uri.scheme !== "file" || !NOTE.test(document.uri.path)) return;
    void this.state.update(NOTES, remember(readHistory(this.state.get(NOTES)), document.uri.toString(), N_NOTES));
  }

  /** Notes that were open of late, and still lie in an opened folder. One that is gone may come back, with a branch say. */
  public notes(): readonly RecentNote[] {
    return readHistory(this.state.get(NOTES))
      .map((uri) => vscode.Uri.parse(uri))
      .filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined && existsSync(uri.fsPath))
      .map((uri) => ({ uri: uri.toString(), path: vscode.workspace.asRelativePath(uri) }));
  }
}
