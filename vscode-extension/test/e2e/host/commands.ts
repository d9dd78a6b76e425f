import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, idle, note } from "./support";

const OPEN_HIT = "notekin.ui.openHit";

export function describeCommands(): void {
  describe("commands", () => {
    before(idle);
    beforeEach(async () => {
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    });

    it("opens a link of a hover at its passage", async () => {
      const start = { line: 6, character: 2 };
      await vscode.commands.executeCommand(OPEN_HIT, { uri: note("health/Knee.md").toString(), range: { start, end: start } });
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.toString(), note("health/Knee.md").toString());
      assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [6, 2]);
    });

    it("opens nothing outside of the opened folders", async () => {
      const start = { line: 0, character: 0 };
      for (const uri of ["file:///etc/passwd", `${note("..").toString()}/settings.json`, "https://example.invalid/"]) {
        await vscode.commands.executeCommand(OPEN_HIT, { uri, range: { start, end: start } });
        assert.equal(vscode.window.activeTextEditor, undefined);
      }
    });

    it("opens nothing where a note is gone, and takes that calmly", async () => {
      const start = { line: 0, character: 0 };
      await vscode.commands.executeCommand(OPEN_HIT, { uri: note("health/Gone.md").toString(), range: { start, end: start } });
      assert.equal(vscode.window.activeTextEditor, undefined);
    });

    it("searches for what a command is given, and opens what is accepted", async () => {
      await vscode.commands.executeCommand("notekin.ui.search", "magnesium telephone hall");
      const editor = await eventually(() => vscode.window.activeTextEditor);
      assert.match(editor.document.uri.path, /Sleep experiment\.md$/);
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      await eventually(() => (vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview === false ? true : undefined));
    });

    it("pauses and resumes", async () => {
      const api = await idle();
      await vscode.commands.executeCommand("notekin.ui.pause");
      await eventually(() => (api.state().statuses[0]?.phase === "paused" ? true : undefined));
      await vscode.commands.executeCommand("notekin.ui.resume");
      await idle();
    });
  });
}
