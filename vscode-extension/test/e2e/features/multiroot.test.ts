/** Two folders of notes in one window. */

import { beforeAll, expect, it, vi } from "vitest";
import { inCode } from "../support/stage";

inCode("several folders", { notes: ["health", "kitchen"], folders: ["health", "kitchen"], user: { "workbench.editor.enablePreview": false } }, (code) => {
  const title = (text: string): ReturnType<ReturnType<typeof code>["row"]> => code().picker.locator(".quick-input-title").filter({ hasText: text });

  async function finds(...names: readonly string[]): Promise<void> {
    await vi.waitFor(async () => { expect([...new Set(await code().labels())]).toEqual(expect.arrayContaining([...names])); }, 20_000);
  }

  beforeAll(async () => {
    await code().idle();
  });

  it("are searched together, or one at a time", async () => {
    await code().search("bread sleep");
    await finds("Bread log", "Sleep experiment");
    await code().press("Control+.");
    await title("health").waitFor();
    await finds("Sleep experiment");
    await vi.waitFor(async () => { expect(await code().labels()).not.toContain("Bread log"); }, 20_000);
    await code().press("Control+.");
    await title("kitchen").waitFor();
    await finds("Bread log");
    await vi.waitFor(async () => { expect(await code().labels()).not.toContain("Sleep experiment"); }, 20_000);
    await code().leaveSearch();
  });

  it("leave one glance at a time, and none behind, where the editor opens no previews", async () => {
    await code().search("bread sleep");
    await finds("Bread log", "Sleep experiment");
    const glance = async (other: string): Promise<string> =>
      vi.waitFor(async () => {
        const [tab, ...more] = await code().tabs();
        if (tab === undefined || tab === null || tab === other || more.length > 0) throw new Error(`${other}, then ${tab} and ${more.length} more`);
        return tab;
      }, 10_000);
    const first = await glance("");
    // Several rows may lie in one note: down to one of another.
    for (const title of await code().labels()) {
      if (!first.startsWith(title)) break;
      await code().press("ArrowDown");
    }
    await glance(first);
    await code().leaveSearch();
    await vi.waitFor(async () => { expect(await code().tabs()).toEqual([]); }, 10_000);
  });

  it("open a note of the second one", async () => {
    await code().search("rye sourdough");
    await code().row("Rye 70").waitFor();
    await code().row("Rye 70").click();
    await code().tab("Rye 70.md").and(code().page.locator(".active")).waitFor();
  });
});
