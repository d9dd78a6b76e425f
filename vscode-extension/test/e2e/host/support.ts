/** What the tests inside the extension host share. */

import * as vscode from "vscode";
import type { Api } from "../../../src/extension";

export const extension = (): vscode.Extension<Api> => {
  const found = vscode.extensions.getExtension<Api>("notekin.notekin");
  if (found === undefined) throw new Error("The extension is not there.");
  return found;
};

/** Resolves with the first value that is not undefined; looked for again whenever the editor could have moved on. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The extension once everything is indexed. */
export async function idle(): Promise<Api> {
  const api = await extension().activate();
  await eventually(() => {
    const { server, statuses } = api.state();
    return server === "running" && statuses.length > 0 && statuses.every(({ phase }) => phase === "idle") ? true : undefined;
  });
  return api;
}

export function note(name: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error("No folder is open.");
  return vscode.Uri.joinPath(folder.uri, name);
}
