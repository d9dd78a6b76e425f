import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, idle, note } from "./support";

/** What is shown over the paragraph of a note that shares no word with the note it is about. */
async function hoverContents(): Promise<vscode.MarkdownString[]> {
  const document = await vscode.workspace.openTextDocument(note("Evenings.md"));
  const found = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, new vscode.Position(2, 4));
  return found.flatMap(({ contents }) => contents).filter((content) => content instanceof vscode.MarkdownString);
}

async function hoverText(): Promise<string> {
  return (await hoverContents()).map(({ value }) => value).join("\n");
}

/** It is silent until the model is loaded, because it may not wait. */
async function shown(): Promise<void> {
  await eventually(async () => ((await hoverText()).includes("Sleep experiment") ? true : undefined));
}

export function describeHover(): void {
  describe("hover", () => {
    before(idle);

    it("names the related note of a paragraph", async () => {
      await shown();
    });

    it("may run one command and hold no HTML", async () => {
      for (const content of await hoverContents()) {
        assert.equal(content.supportHtml ?? false, false);
        assert.deepEqual(content.isTrusted, { enabledCommands: ["notekin.ui.openHit"] });
      }
    });

    it("is silent where the setting says so", async () => {
      const settings = vscode.workspace.getConfiguration("notekin");
      await settings.update("hover", false, vscode.ConfigurationTarget.Global);
      assert.equal(await hoverText(), "");
      await settings.update("hover", undefined, vscode.ConfigurationTarget.Global);
      await shown();
    });
  });
}
