/** The view that follows the cursor. */

import { beforeAll, expect, it } from "vitest";
import { inCode } from "../support/stage";

inCode("the related view", { notes: ["health", "kitchen"] }, (code) => {
  const row = (text: string): ReturnType<typeof item> => item().filter({ hasText: text }).first();
  const item = (): ReturnType<ReturnType<ReturnType<typeof code>["page"]["locator"]>["locator"]> =>
    code().page.locator(".sidebar").locator(".monaco-list-row");

  beforeAll(async () => {
    await code().idle();
  });

  it("says what it is for while no note is open", async () => {
    await code().page.locator('.activitybar [aria-label^="Notekin"]').first().click();
    await code().page.locator(".sidebar").getByText("Open a note to see here").waitFor();
  });

  it("shows what is related to the paragraph at the cursor, and marks what is linked", async () => {
    await code().openNote("Migraine diary.md");
    await code().goToLine(30);
    await row("Sleep experiment").waitFor();
    await row("already linked").waitFor();
    expect(await row(", line").getAttribute("aria-label")).toMatch(/, line \d+/);
    await code().picture("related");
  });

  it("follows the cursor to another note", async () => {
    await code().openNote("Rye 70.md");
    await row("Bread log").waitFor();
    await row("Sleep experiment").waitFor({ state: "detached" });
  });

  it("inserts a link by a button", async () => {
    await code().openNote("Rye 70.md");
    await code().press("Control+End");
    await row("Bread log").waitFor();
    await row("Bread log").hover();
    await row("Bread log").locator('[aria-label^="Insert Link"]').click();
    await code().line("[Bread log](").waitFor();
  });

  it("puts a link where a note is dragged to", async () => {
    await code().openNote("Rye 70.md");
    await code().press("Control+Home");
    await row("Bread log").waitFor();
    const [from, to] = [await row("Bread log").boundingBox(), await code().line("The weekday").boundingBox()];
    if (from === null || to === null) throw new Error("There is nothing to drag, or nowhere to drop it.");
    const { mouse } = code().page;
    await mouse.move(from.x + 60, from.y + from.height / 2);
    await mouse.down();
    await mouse.move(to.x + 100, to.y + 40, { steps: 12 });
    await code().page.keyboard.down("Shift");
    await mouse.move(to.x + 2, to.y + to.height / 2, { steps: 6 });
    await mouse.up();
    await code().page.keyboard.up("Shift");
    await code().line("[Bread log](Bread%20log.md)The weekday").waitFor();
  });
});
