/** From the first index to a found passage. */

import { expect, it, vi } from "vitest";
import { titlesFor } from "../support/notekin";
import { inCode } from "../support/stage";

inCode("search", { notes: ["garden", "travel", "reading", "work"] }, (code) => {
  it("is told of the first index until it is done", async () => {
    await code().status(/of \d+ notes|meaning \d+ %|looking for changes|opening/).waitFor();
    await code().idle();
  });

  it("shows nothing but a way to begin while there is no query", async () => {
    await code().search("");
    await code().row("garden").waitFor({ state: "hidden" });
    await code().press("Escape");
    await code().picker.waitFor({ state: "hidden" });
  });

  it("lets the next picker open where nothing was open", async () => {
    for (let i = 0; i < 5; i += 1) {
      await code().search("dry days kyoto");
      await code().tab("Kyoto").waitFor();
      await code().press("Escape", "F1");
      await code().tab("Kyoto").waitFor({ state: "hidden" });
      await code().type("zz");
      expect(await code().picker.locator('input[placeholder^="Type the name"]').inputValue()).toBe(">zz");
      await code().press("Escape");
      await code().picker.waitFor({ state: "hidden" });
    }
  });

  it("opens the passage at its line from the palette", async () => {
    await code().command("Notekin: Search Notes");
    await code().picker.locator('input[placeholder^="Words"]').waitFor();
    await code().type("bindweed clubroot");
    await code().row("Compost").waitFor();
    await code().tab("Compost.md").waitFor();
    await code().press("Enter");
    await code().picker.waitFor({ state: "hidden" });
    await code().cursorAt(18);
    await code().page.locator(".monaco-editor.focused").waitFor();
    expect(await code().tabs()).toEqual(["Compost.md"]);
  });

  it("keeps the server's order although a lower title holds the query", async () => {
    const query = "bike";
    const titles = await titlesFor(query, code());
    expect(titles.findIndex((title) => title.includes(query))).toBeGreaterThan(0);
    await code().search(query);
    await code().row("Bornholm by bike").waitFor();
    const rows = await code().labels();
    expect(rows.length).toBeGreaterThan(3);
    expect(rows).toEqual(titles.slice(0, rows.length));
    await code().tab("Thinking in Systems").waitFor();
    await code().picture("search");
    await code().press("Escape");
    await code().tab("Thinking in Systems").waitFor({ state: "hidden" });
  });

  it("brings one back with Escape to where one was", async () => {
    await code().openNote("Slugs.md");
    await code().goToLine(13);
    await code().search("dry days kyoto");
    await code().tab("Kyoto").waitFor();
    await code().press("Escape");
    await code().tab("Kyoto").waitFor({ state: "hidden" });
    await code().cursorAt(13);
    await code().page.locator(".monaco-editor.focused").waitFor();
    await code().line("Ducks").waitFor();
  });

  it("marks the passage and its matches, and keeps the focus while it does", async () => {
    const marks = code().page.locator('.editor-group-container.active .view-overlays [class*="TextEditorDecorationType"]');
    await code().search("bindweed clubroot");
    await code().tab("Compost").waitFor();
    await marks.first().waitFor();
    expect(await code().picker.locator("input").first().evaluate((input) => input === document.activeElement)).toBe(true);
    await code().leaveSearch();
    await marks.first().waitFor({ state: "detached" });
  });

  it("goes through scopes and modes by buttons", async () => {
    await code().openNote("Slugs.md");
    await code().search("kyoto");
    await code().row("Kyoto").waitFor();
    const title = code().picker.locator(".quick-input-title");
    await code().picker.locator('[aria-label^="Search folder garden instead"]').click();
    await title.filter({ hasText: "folder garden" }).waitFor();
    await code().row("Kyoto").waitFor({ state: "hidden" });
    await code().picker.locator('[aria-label^="Search by words only instead"]').click();
    await title.filter({ hasText: "by words only" }).waitFor();
    await code().leaveSearch();
  });

  it("copies a link", async () => {
    await code().search("bindweed clubroot");
    await code().row("Compost").waitFor();
    await code().press("Control+Shift+C");
    await vi.waitFor(async () => { expect(await code().page.evaluate(() => navigator.clipboard.readText())).toContain("[Compost](Compost.md"); }, 10_000);
    await code().leaveSearch();
  });

  it("offers what was searched for and read before", async () => {
    await code().openNote("Compost.md");
    await code().openNote("Slugs.md");
    await code().search("");
    await code().row("recent notes").waitFor();
    expect(await code().labels()).toContain("Compost.md");
    expect(await code().labels()).not.toContain("Slugs.md");
    await code().picker.locator(".monaco-list-row.focused").filter({ hasText: "bindweed clubroot" }).waitFor();
    await code().press("Enter");
    await code().tab("Compost.md").and(code().page.locator(".active")).waitFor();
    await code().leaveSearch();
    await code().tab("Slugs.md").and(code().page.locator(".active")).waitFor();
  });

  it("lets the next picker open before one is back", async () => {
    const pickers = [["Search files", "Control+p"], ["Type the name", "F1"], ["Words", "Control+k", "n"]] as const;
    for (const [placeholder, ...keys] of pickers) {
      await code().openNote("Slugs.md");
      await code().search("dry days kyoto");
      await code().tab("Kyoto").waitFor();
      await code().press("Escape", ...keys);
      const input = code().picker.locator(`input[placeholder^="${placeholder}"]`);
      await vi.waitFor(async () => { expect(await input.inputValue()).toMatch(/^>?$/); }, 10_000);
      await code().tab("Kyoto").waitFor({ state: "hidden" });
      await code().type("zz");
      expect(await input.inputValue()).toMatch(/zz$/);
      await code().press("Escape");
      await code().picker.waitFor({ state: "hidden" });
      await code().page.locator(".monaco-editor.focused").waitFor();
      expect(await code().tabs()).toEqual(["Compost.md", "Slugs.md"]);
    }
  });

  it("leaves Escape to the picker that took its place", async () => {
    for (let i = 0; i < 10; i += 1) {
      await code().search("bindweed clubroot");
      await code().press("Control+p", "Escape");
      await code().picker.waitFor({ state: "hidden" });
    }
  });

  it("opens the passage beside with Ctrl+Enter", async () => {
    await code().search("bindweed clubroot");
    await code().row("Compost").waitFor();
    await code().press("Control+Enter");
    await code().picker.waitFor({ state: "hidden" });
    await code().page.locator(".editor-group-container").nth(1).waitFor();
    await code().cursorAt(18);
    await code().picture("beside");
    await code().command("View: Close Other Editors in Group");
    await code().command("View: Single Column Editor Layout");
    await code().page.locator(".editor-group-container").nth(1).waitFor({ state: "hidden" });
  });

  it("inserts a link at the cursor with Alt+Enter", async () => {
    await code().openNote("Slugs.md");
    await code().goToLine(18);
    await code().press("End");
    await code().search("bindweed clubroot");
    await code().row("Compost").waitFor();
    await code().press("Alt+Enter");
    await code().picker.waitFor({ state: "hidden" });
    await code().line("their roads are dry.[Compost](Compost.md").waitFor();
    await code().press("Control+z");
  });

  it("asked nobody but this machine", () => {
    expect(code().outside).toEqual([]);
  });
});
