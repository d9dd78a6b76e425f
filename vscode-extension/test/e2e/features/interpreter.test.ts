/** A program that is none is told about, with buttons that help. */

import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { inCode } from "../support/stage";

inCode("a bad interpreter", { notes: ["health/Knee.md"], namesServer: false, machine: { "notekin.python": "/nowhere/python3" } }, (code) => {
  it("is named in a message with its buttons", async () => {
    const toast = code().toast("/nowhere/python3 does not start");
    await toast.waitFor();
    const buttons = await toast.locator(".monaco-button").allInnerTexts();
    expect(buttons.map((button) => button.trim())).toEqual(["Pick Interpreter…", "Open Setting", "Show Log"]);
    await code().status("Set up Notekin").waitFor();
    await code().picture("bad-interpreter");
  });

  it("can be corrected by picking another one, never one that lies in the opened folder", async () => {
    const inside = path.join(code().vault, ".venv/bin/python");
    await mkdir(path.dirname(inside), { recursive: true });
    await symlink(code().stage.python, inside);
    // The editor's dialog takes no Enter while it lists a folder, which it begins anew with whatever is
    // typed, and puts the first one it has listed in the place of what was typed before. One that came
    // meanwhile may leave it deaf to all others, until something else is typed.
    const pick = async (file: string): Promise<void> => {
      const { picker } = code();
      const input = picker.locator("input").first();
      let isAccepted = false;
      await picker.waitFor();
      await vi.waitFor(async () => {
        if (isAccepted && !(await picker.isVisible())) return;
        if (isAccepted) await input.fill(`${path.dirname(file)}/`, { timeout: 1000 });
        if ((await input.inputValue({ timeout: 1000 })) !== file) await input.fill(file, { timeout: 1000 });
        await code().press("Enter");
        isAccepted = true;
        await picker.waitFor({ state: "hidden", timeout: 1000 });
      }, 30_000);
    };
    await code().toast("does not start").locator(".monaco-button").filter({ hasText: "Pick Interpreter" }).click();
    await pick(inside);
    const refused = code().toast(`Notekin does not run ${inside}`);
    await refused.locator(".monaco-button").filter({ hasText: "Pick Interpreter" }).click();
    await pick(code().stage.python);
    await code().toast(`made with ${code().stage.python}`).waitFor();
  });

  it("is asked about again by who was busy when the question was put away", async () => {
    await code().press("Escape");
    await code().toast("made with").waitFor({ state: "hidden" });
    await code().press("Control+k", "n");
    const question = code().page.locator(".notifications-center").locator(".notification-list-item").filter({ hasText: "made with" });
    await question.locator(".monaco-button").filter({ hasText: "Not Now" }).click();
    await code().status("Set up Notekin").waitFor();
  });

  it("of a server named instead is told as well", async () => {
    const settings = { "notekin.server.command": ["/nowhere/notekin", "lsp"] };
    await writeFile(path.join(code().run, "data/Machine/settings.json"), JSON.stringify(settings));
    const toast = code().toast("/nowhere/notekin, which the setting notekin.server.command names, does not start");
    await toast.waitFor();
    const buttons = await toast.locator(".monaco-button").allInnerTexts();
    expect(buttons.map((button) => button.trim())).toEqual(["Open Setting", "Try Again", "Show Log"]);
    await code().status("Notekin stopped").waitFor();
    await toast.locator(".monaco-button").filter({ hasText: "Open Setting" }).click();
    await code().page.locator(".settings-editor").getByText("Notekin › Server: Command").first().waitFor();
  });
});
