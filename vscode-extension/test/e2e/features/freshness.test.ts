/** What is saved is found at once; what is gone is not. */

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { inCode } from "../support/stage";
import type { Workbench } from "../support/workbench";

async function prepare(vault: string): Promise<void> {
  await mkdir(path.join(vault, "attic"));
  await writeFile(path.join(vault, "Drawer.md"), "# Drawer\n\nThe quokka photograph lies in the blue drawer.\n");
  await writeFile(path.join(vault, "Shelf.md"), "# Shelf\n\nA pangolin of tin stands on the shelf.\n");
  await writeFile(path.join(vault, "attic/Chest.md"), "# Chest\n\nUnder the lid lies an axolotl made of felt.\n");
  await writeFile(path.join(vault, "attic/Trunk.md"), "# Trunk\n\nThe narwhal costume is in the trunk.\n");
}

async function finds(code: Workbench, query: string, title: string): Promise<void> {
  await code.search(query);
  await code.row(title).waitFor();
  await code.tab(title).waitFor();
  await code.leaveSearch();
}

async function misses(code: Workbench, query: string): Promise<void> {
  await code.search(query);
  await code.row("Not found in your notes").waitFor();
  await code.leaveSearch();
}

/** Whether it is listed among the recent notes. */
async function recent(code: Workbench, name: string): Promise<boolean> {
  await code.search("");
  await code.row("recent notes").waitFor();
  const n = await code.row(name).count();
  await code.leaveSearch();
  return n > 0;
}

inCode("freshness", { notes: ["health/Knee.md"], prepare }, (code) => {
  beforeAll(async () => {
    await code().status("Notekin: 5 notes").waitFor();
  });

  it("finds the new words of a saved note and not the old ones", async () => {
    await finds(code(), "quokka", "Drawer");
    await code().openNote("Drawer.md");
    await code().press("Control+a");
    await code().type("The wombat photograph lies in the green drawer.");
    await code().press("Control+s");
    await vi.waitFor(async () => { expect(await readFile(path.join(code().vault, "Drawer.md"), "utf8")).toContain("wombat"); }, 10_000);
    await finds(code(), "wombat", "Drawer");
    await misses(code(), "quokka");
    await code().search("quokka");
    await code().row("Not found in your notes").waitFor();
    await code().picture("not-found");
    await code().leaveSearch();
  });

  it("drops what a setting excludes at once, and has it back without the setting", async () => {
    const settings = path.join(code().vault, ".vscode/settings.json");
    await mkdir(path.dirname(settings), { recursive: true });
    await writeFile(settings, JSON.stringify({ "notekin.exclude": ["attic"] }));
    await code().status("Notekin: 3 notes").waitFor();
    await misses(code(), "axolotl");
    await writeFile(settings, "{}");
    await code().status("Notekin: 5 notes").waitFor();
    await finds(code(), "axolotl", "Chest");
  });

  it("does not find a note that was deleted outside", async () => {
    await finds(code(), "pangolin", "Shelf");
    for (const name of ["Knee.md", "Shelf.md", "Drawer.md"]) await code().openNote(name);
    expect(await recent(code(), "Shelf.md")).toBe(true);
    await rm(path.join(code().vault, "Shelf.md"));
    await code().status("Notekin: 4 notes").waitFor();
    await misses(code(), "pangolin");
    expect(await recent(code(), "Shelf.md")).toBe(false);
  });

  it("answers an open search again when a note comes, and when it goes", async () => {
    const came = path.join(code().vault, "attic/Came.md");
    await code().search("okapi");
    await code().row("Not found in your notes").waitFor();
    await writeFile(came, "# Came\n\nAn okapi of porcelain.\n");
    await code().row("Came").waitFor();
    await rm(came);
    await code().row("Not found in your notes").waitFor();
    await code().leaveSearch();
    await code().status("Notekin: 4 notes").waitFor();
  });

  it("does not find the notes of a folder that was deleted outside", async () => {
    await finds(code(), "axolotl", "Chest");
    await rm(path.join(code().vault, "attic"), { recursive: true });
    await code().status("Notekin: 2 notes").waitFor();
    await misses(code(), "axolotl");
    await misses(code(), "narwhal");
  });
});
