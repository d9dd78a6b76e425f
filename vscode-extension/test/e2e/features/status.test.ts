/** The menu behind the status bar. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { inCode } from "../support/stage";
import type { Workbench } from "../support/workbench";

/** Enough notes that their first index is seen before it is over. */
async function many(vault: string): Promise<void> {
  await mkdir(path.join(vault, "log"));
  const text = (day: number): string => ["seeds", "weather", "harvest"].map((what) => `## ${what} ${day}\n\nOn day ${day} the ${what} were noted down.\n`.repeat(4)).join("\n");
  await writeFile(path.join(vault, "Torn.pdf"), "%PDF-1.7\nThe rest is missing.\n");
  for (let day = 0; day < 80; day += 1) await writeFile(path.join(vault, `log/Day ${day}.md`), `# Day ${day}\n\n${text(day)}`);
}

/** Of the settings that count only where the extension runs. */
function settingsFile(code: Workbench): string {
  return path.join(code.run, "data/Machine/settings.json");
}

async function machineSettings(code: Workbench): Promise<string> {
  return readFile(settingsFile(code), "utf8");
}

inCode("the status bar", { notes: ["health"], prepare: many }, (code) => {
  it("shows a first index in a notification that can be cancelled", async () => {
    const toast = code().toast(/indexing vault: .*[1-9]\d* of \d+ passages/);
    await toast.waitFor();
    await code().picture("first-index");
    await toast.locator(".monaco-button").filter({ hasText: "Cancel" }).click();
    await toast.waitFor({ state: "hidden" });
    await code().status("Notekin: paused").waitFor();
    await code().menu("Resume Indexing");
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

  it("says all of it to a screen reader", async () => {
    expect(await code().status().locator("a").first().getAttribute("aria-label")).toMatch(/^Notekin: \d+ notes$/);
  });

  it("opens a note that cannot be read", async () => {
    await code().menu("Show the Unreadable Note");
    await code().row("Torn.pdf").click();
    await code().tab("Torn.pdf").waitFor();
  });

  it("tells the details to who hovers", async () => {
    await code().status().hover();
    await code().page.locator(".monaco-hover:visible").filter({ hasText: "all-MiniLM-L6-v2" }).first().waitFor();
  });

  it("lists the models, begins at the one in use, and changes nothing by Escape", async () => {
    const before = await machineSettings(code());
    const active = code().picker.locator(".monaco-list-row.focused");
    await code().menu("Change the Model…");
    await active.filter({ hasText: "all-MiniLM-L6-v2" }).filter({ hasText: "in use" }).waitFor();
    await code().row("BAAI/bge-small-en-v1.5").filter({ hasText: "Downloaded once from the network, 70 MB" }).waitFor();
    await code().picture("models");
    await code().press("ArrowUp");
    await active.filter({ hasText: "Another Model or a Folder…" }).waitFor();
    await code().press("Escape");
    await code().picker.waitFor({ state: "hidden" });
    expect(await machineSettings(code())).toBe(before);
  });

  it("has a walkthrough of three steps", async () => {
    await code().command("Welcome: Open Walkthrough...");
    await code().row("Notekin").click();
    const page = code().page.locator(".gettingStartedContainer");
    for (const title of ["Set up the server", "Search", "See what is related"]) await page.getByText(title).first().waitFor();
    await code().picture("walkthrough");
    await page.getByText("Set Up", { exact: true }).click();
    await page.locator('[aria-label="Set up the server: Completed"]').waitFor();
    await code().idle();
  });
});

inCode("a model that cannot be loaded", { notes: ["health"], machine: { "notekin.model": "/no/such/model" } }, (code) => {
  const chooseDefault = async (): Promise<void> => {
    const active = code().picker.locator(".monaco-list-row.focused");
    await code().menu("Change the Model…");
    await active.filter({ hasText: "/no/such/model" }).waitFor();
    await code().type("all-MiniLM");
    await active.filter({ hasText: "all-MiniLM-L6-v2" }).waitFor();
    await code().press("Enter");
  };

  it("stays, which is told, when the settings cannot be written", async () => {
    await code().status("Notekin: paused").waitFor();
    const before = await machineSettings(code());
    await writeFile(settingsFile(code()), `${before} and more`);
    await chooseDefault();
    await code().toast("The model is still the one before").waitFor();
    await writeFile(settingsFile(code()), before);
  });

  it("gives way to the default at once", async () => {
    await chooseDefault();
    await vi.waitFor(async () => { expect(await machineSettings(code())).not.toContain("notekin.model"); }, 20_000);
    await code().idle();
  });
});
