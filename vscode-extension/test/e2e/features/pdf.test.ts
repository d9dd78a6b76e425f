/** From a PDF in the vault to the passage on its page. */

import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { locked, pdfOf } from "../support/pdf";
import { inCode } from "../support/stage";
import { writeViewer } from "../support/viewer";
import type { Workbench } from "../support/workbench";

const NAME = "Weather station.pdf";
const LEAVES = [
  {
    heading: "A weather station for the allotment",
    paragraphs: [
      ["The station stands between the plum tree and the shed, two metres above the lawn.", "It has a thermometer in a louvred box, a vane, and a gauge for the rain."],
      ["Readings are taken at seven in the morning, before anybody opens the water."],
    ],
  },
  {
    heading: "Calibration of the rain gauge",
    paragraphs: [
      ["The funnel is emptied and a hundred millilitres of water are poured in slowly.", "The bucket must tip twenty times; with fewer tips the screw is turned to the left."],
      ["A spirit level on the rim shows whether the post leans after a storm."],
    ],
  },
  {
    heading: "Winter",
    paragraphs: [["In frost the funnel is taken off, because ice would split it.", "The vane gets a drop of silicone oil."]],
  },
];
const QUERY = "hundred millilitres funnel";
const PARAGRAPH = "The tipping bucket counts too little rain: pour in a measured amount and calibrate it.";

async function prepare(vault: string, run: string): Promise<void> {
  await writeFile(path.join(vault, NAME), pdfOf(LEAVES));
  await writeFile(path.join(vault, "Drizzle.md"), `# Drizzle\n\n${PARAGRAPH}\n`);
  await writeViewer(path.join(run, "viewer"));
}

function found(code: Workbench): Locator {
  return code.row("A weather station").filter({ hasText: "page 2" });
}

function readable(code: Workbench): Locator {
  return code.tab(`${NAME}.md`).and(code.page.locator(".active"));
}

async function openFound(code: Workbench): Promise<void> {
  await code.search(QUERY);
  await found(code).waitFor();
  await code.press("Enter");
  await code.picker.waitFor({ state: "hidden" });
}

/** Rest the mouse on the note's paragraph and follow the link to the PDF. */
async function followHover(code: Workbench): Promise<void> {
  await code.openNote("Drizzle.md");
  await code.page.mouse.move(5, 5);
  await code.line("tipping bucket").locator("span span").first().hover();
  await code.page.locator(".monaco-hover:visible a").filter({ hasText: "p. 2" }).first().click();
}

inCode("PDFs", { notes: ["health/Knee.md"], prepare }, (code) => {
  beforeAll(async () => {
    await code().idle();
  });

  it("are found by the words of a page, which the row names", async () => {
    await code().search(QUERY);
    await found(code()).waitFor();
    await readable(code()).waitFor();
    await code().line("a hundred millilitres").waitFor();
    await code().picture("pdf");
    await code().leaveSearch();
  });

  it("open as text to be read only, at the passage", async () => {
    await openFound(code());
    await code().page.locator(".monaco-editor.focused").waitFor();
    await code().cursorAt(9, 5);
    await code().type("x");
    await code().page.locator(".monaco-editor-overlaymessage").filter({ hasText: "read-only" }).waitFor();
    await code().line("The funnel is emptied").waitFor();
    expect(await code().tabs()).toEqual([`${NAME}.md`]);
  });

  it("open themselves by a button of the text, and of a row at the page", async () => {
    // An editor without a viewer says of a PDF that it is no text.
    const shown = (): Locator => code().page.locator(".monaco-editor-pane-placeholder").filter({ hasText: "binary" });
    await code().page.locator('.editor-actions [aria-label="Open the PDF"]').click();
    await shown().waitFor();
    await code().command("View: Close All Editors");
    await code().search(QUERY);
    await found(code()).locator('[aria-label="Open the PDF at this page"]').click();
    await code().picker.waitFor({ state: "hidden" });
    await shown().waitFor();
    expect(await code().tabs()).toEqual([NAME]);
  });

  it("are related to a paragraph, and a hover leads to the passage", async () => {
    await followHover(code());
    await readable(code()).waitFor();
    await code().cursorAt(7, 1);
  });

  it("are not found once they are deleted", async () => {
    await rm(path.join(code().vault, NAME));
    await code().status("Notekin: 2 notes").waitFor();
    await code().search(QUERY);
    await code().row("Not found in your notes").waitFor();
    await found(code()).waitFor({ state: "hidden" });
    await code().leaveSearch();
  });

  it("are opened by a password that is asked for where they are missed", async () => {
    const input = code().picker.locator('input[type="password"]');
    await writeFile(path.join(code().vault, "Locked.pdf"), await locked(LEAVES, "plum", code().stage.python, code().run));
    await code().status(/Notekin: 3 notes$/).waitFor();
    await code().menu("Show the Unreadable Note");
    await code().row("It needs a password").waitFor();
    await code().press("Enter");
    await input.waitFor();
    await code().type("pear");
    await code().press("Enter");
    await code().picker.getByText("That password does not open Locked.pdf").waitFor();
    await code().picture("password");
    await code().type("plum");
    await code().press("Enter");
    await code().toast("The password opens Locked.pdf").waitFor();
    await code().status(/Notekin: 3 notes$/).waitFor();
    await code().search(QUERY);
    await found(code()).waitFor();
    await code().leaveSearch();
  });
});

inCode("PDFs with a viewer that takes a page", { notes: [], prepare, alongside: "viewer" }, (code) => {
  const viewer = (): Locator => code().tab("Viewer of page=2").and(code().page.locator(".active"));

  beforeAll(async () => {
    await code().idle();
  });

  it("open in it at the page", async () => {
    await openFound(code());
    await viewer().waitFor();
    expect(await code().tabs()).toEqual([NAME]);
    // By the mouse: a page that is only being opened swallows the keys it is sent.
    await viewer().locator(".tab-actions .action-label").click();
  });

  it("open in it from a hover", async () => {
    await followHover(code());
    await viewer().waitFor();
  });
});
