/** Related passages over a paragraph, whatever stands in them. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inCode } from "../support/stage";

const PARAGRAPH = "Insomnia eased: smartphones banned, bedrooms dark.";
const asked: string[] = [];
/** Whoever fetches an image from it is found out. */
const trap = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.end();
});

function trapUrl(): string {
  return `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
}

async function listen(): Promise<void> {
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
}

async function hostile(vault: string): Promise<void> {
  if (!trap.listening) await listen();
  await mkdir(path.join(vault, "inbox"));
  await writeFile(path.join(vault, "inbox/Evenings.md"), `# Evenings\n\n${PARAGRAPH}\n`);
  await writeFile(path.join(vault, "inbox/Lantern.md"), "# Lantern\n\nThe brass lantern hangs beside the cellar stairs and needs paraffin.\n");
  const lines = [
    "# Paraffin",
    "",
    "The paraffin of the brass lantern stands in the cellar, beside the stairs.",
    "[Refill it](command:workbench.action.toggleZenMode) ![lantern](" + trapUrl() + "/pixel.png)",
    `<img src="${trapUrl()}/tag.png"> <a href="command:workbench.action.toggleZenMode">again</a>`,
  ];
  await writeFile(path.join(vault, "inbox/Paraffin.md"), lines.join("\n"));
}

inCode("hover", { notes: ["health"], prepare: hostile }, (code) => {
  afterAll(() => {
    trap.close();
  });
  beforeAll(async () => {
    await code().idle();
  });

  async function hoverOver(note: string, text: string): Promise<string> {
    await code().openNote(note);
    await code().page.mouse.move(5, 5);
    await code().line(text).locator("span span").first().hover();
    // The first one waits for the model.
    const hover = code().page.locator(".monaco-hover:visible .hover-contents").filter({ hasNotText: "Loading..." }).first();
    await hover.waitFor();
    return hover.innerText();
  }

  it("shows a note that shares no word with the paragraph", async () => {
    const words = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];
    const note = words(await readFile(path.join(code().vault, "health/Sleep experiment.md"), "utf8"));
    expect(words(PARAGRAPH).filter((word) => note.includes(word))).toEqual([]);
    expect(await hoverOver("Evenings.md", "Insomnia")).toContain("Sleep experiment");
    await code().picture("hover");
  });

  it("leads to the passage", async () => {
    await hoverOver("Evenings.md", "Insomnia");
    const link = code().page.locator(".monaco-hover:visible a").filter({ hasText: "Sleep experiment" }).first();
    const address = decodeURIComponent((await link.getAttribute("data-href")) ?? "");
    const [, last] = /#L\d+,\d+-L(\d+),\d+$/.exec(address) ?? [];
    expect(Number(last), address).toBeGreaterThan(1);
    await link.click();
    await code().tab("Sleep experiment.md").and(code().page.locator(".active")).waitFor();
    await code().cursorAt(Number(last));
  });

  it("shows what a hostile note says as plain text", async () => {
    const text = await hoverOver("Lantern.md", "brass");
    // An unseen mark keeps the editor from making a link of it.
    expect(text.replaceAll("\u2060", "")).toContain("[Refill it](command:workbench.action.toggleZenMode)");
    const hover = code().page.locator(".monaco-hover:visible");
    expect(await hover.locator("img").count()).toBe(0);
    expect(await hover.locator('[data-href*="toggleZenMode"], [href*="toggleZenMode"]').count()).toBe(0);
    await code().picture("hover-hostile");
  });

  it("fetches nothing that a hostile note names, neither in a hover nor in a search", async () => {
    await code().search("brass lantern paraffin");
    await code().row("Paraffin").waitFor();
    await code().tab("Paraffin.md").or(code().tab("Lantern.md")).first().waitFor();
    await code().press("Escape");
    expect(asked).toEqual([]);
    expect(code().outside).toEqual([]);
  });
});
