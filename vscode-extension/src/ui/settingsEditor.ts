import * as vscode from "vscode";

/** Show settings that belong to the machine where the extension runs; in a remote window that is another tab. */
export async function openMachineSetting(name: string): Promise<void> {
  const isRemote = vscode.env.remoteName !== undefined;
  await vscode.commands.executeCommand(`workbench.action.${isRemote ? "openRemoteSettings" : "openSettings"}`, { query: name });
}
