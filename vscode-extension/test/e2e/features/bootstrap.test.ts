/** From an installed extension and nothing else to the first hit. */

import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { inCode } from "../support/stage";

inCode("the first run", { notes: ["garden/Slugs.md", "garden/Compost.md"], namesServer: false }, (code) => {
  it("asks, sets the server up and finds", { timeout: 300_000 }, async () => {
    const question = code().toast("sets up its server once");
    await question.waitFor();
    await code().picture("set-up");
    await question.locator(".monaco-button").filter({ hasText: "Set Up" }).click();
    await code().toast("Setting up Notekin").waitFor();
    await code().status("Notekin: 2 notes").waitFor({ timeout: 280_000 });
    await code().search("bindweed clubroot");
    await code().row("Compost").waitFor();
    await code().press("Enter");
    await code().cursorAt(18);
  });

  it("asks and installs no second time", async () => {
    await code().load();
    await code().status("Notekin: 2 notes").waitFor();
    expect(await code().page.locator(".notification-toast").count()).toBe(0);
  });

  it("makes an environment again that is broken", { timeout: 300_000 }, async () => {
    const storage = path.join(code().run, "data/User/globalStorage/notekin.notekin");
    const files = await readdir(storage, { recursive: true });
    const broken = files.find((file) => file.endsWith("site-packages/notekin/lsp/server.py"));
    await rm(path.join(storage, broken ?? "", ".."), { recursive: true });
    await code().command("Notekin: Restart the Server");
    await code().toast("Setting up Notekin").waitFor();
    await code().status("Notekin: 2 notes").waitFor({ timeout: 280_000 });
    await code().search("bindweed clubroot");
    await code().row("Compost").waitFor();
  });
});
