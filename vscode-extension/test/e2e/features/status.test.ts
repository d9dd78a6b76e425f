/** The menu behind the status bar. */

import { beforeAll, it } from "vitest";
import { inCode } from "../support/stage";

inCode("the status bar", { notes: ["health"] }, (code) => {
  beforeAll(async () => {
    await code().idle();
  });

  it("pauses and resumes", async () => {
    await code().status().click();
    await code().row("Pause Indexing").waitFor();
    await code().picture("menu");
    await code().row("Pause Indexing").click();
    await code().status("Notekin: paused").waitFor();
    await code().menu("Resume Indexing");
    await code().idle();
  });

  it("tells the details to who hovers", async () => {
    await code().status().hover();
    await code().page.locator(".monaco-hover:visible").filter({ hasText: "all-MiniLM-L6-v2" }).first().waitFor();
  });

  it("has a walkthrough of three steps", async () => {
    await code().command("Welcome: Open Walkthrough...");
    await code().row("Notekin").click();
    const page = code().page.locator(".gettingStartedContainer");
    for (const title of ["Set up the server", "Search", "See what is related"]) await page.getByText(title).first().waitFor();
    await code().picture("walkthrough");
  });
});
