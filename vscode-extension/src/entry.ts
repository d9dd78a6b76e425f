/** Entered by the editor: loads the extension, the quick way where it was loaded before. */

import path from "node:path";
import type * as vscode from "vscode";
import { Stopwatch } from "./core/stopwatch";
import type * as Extension from "./extension";
import { KeptCode } from "./host/keptCode";

let extension: typeof Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Extension.Api> {
  const stopwatch = new Stopwatch();
  const code = new KeptCode(path.join(context.extensionPath, "dist/main.js"), context.globalStorageUri.fsPath);
  extension = code.run(require) as typeof Extension;
  stopwatch.loads();
  let isSettled = false;
  const settled = (): void => {
    // It is a matter of speed only: next time is another chance.
    if (!isSettled) void code.keep().catch(() => undefined);
    isSettled = true;
  };
  return extension.activate(context, { stopwatch, settled });
}

export async function deactivate(): Promise<void> {
  await extension?.deactivate();
}
