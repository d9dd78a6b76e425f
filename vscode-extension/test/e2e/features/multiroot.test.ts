/** Two folders of notes in one window. */

import { beforeAll, expect, it, vi } from "vitest";
import { inCode } from "../support/stage";

inCode("several folders", { notes: ["health", "kitchen"], folders: ["health", "kitchen"] }, (code) => {
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

  it("open a note of the second one", async () => {
    await code().search("rye sourdough");
    await code().row("Rye 70").waitFor();
    await code().row("Rye 70").click();
    await code().tab("Rye 70.md").and(code().page.locator(".active")).waitFor();
  });
});
