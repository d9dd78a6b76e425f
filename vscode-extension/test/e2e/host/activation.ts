import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, extension, idle } from "./support";

export function describeActivation(): void {
  describe("activation", () => {
    it("comes by itself in a folder of notes, and indexes them", async () => {
      await eventually(() => (extension().isActive ? true : undefined));
      const [status] = (await idle()).state().statuses;
      assert.equal(status?.notes.total, 5);
      assert.equal(status.folder, vscode.workspace.workspaceFolders?.[0]?.uri.toString());
    });

    it("registers every command that it declares", async () => {
      const { contributes } = extension().packageJSON as { contributes: { commands: { command: string }[] } };
      const registered = await vscode.commands.getCommands();
      assert.deepEqual(contributes.commands.filter(({ command }) => !registered.includes(command)), []);
    });

    it("starts another server when asked to", async () => {
      const api = await idle();
      const before = api.serverPid();
      await vscode.commands.executeCommand("notekin.ui.restart");
      await idle();
      assert.notEqual(api.serverPid(), before);
    });
  });
}
