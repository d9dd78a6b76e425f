/** From an installed extension and nothing else to the first hit. */

import { it } from "vitest";
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
});
