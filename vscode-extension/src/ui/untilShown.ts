import * as vscode from "vscode";

/**
 * Wait until the editor shows what its pickers were given. It is told of that in the next turn, and
 * takes one message after the other: once it answers a later one, it did what was asked for before.
 */
export async function untilShown(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await vscode.commands.executeCommand("setContext", "notekin.hasRows", true);
}
