import { describe, expect, it } from "vitest";
import { plainEnglish as t } from "../../src/core/l10n";
import { menuItems, type Action } from "../../src/core/menu";
import { Increments } from "../../src/core/progress";
import type { IndexStatus, Phase } from "../../src/core/protocol";
import { barText, fileName, whyNotAsked } from "../../src/core/status";
import { aStatus, VAULT } from "./samples";

const NAMES = new Map([[VAULT, "notes"]]);
const shown = (...statuses: IndexStatus[]): string => barText("running", statuses, NAMES, t).text;

describe("the status bar", () => {
  const half = { total: 1873, indexed: 40, pending: 1833, failed: 0, excluded: 0 };
  it.each([
    [aStatus(), "$(search) Notekin: 1,873 notes"],
    [aStatus({ phase: "indexing", notes: half }), "$(sync~spin) Notekin: 40 of 1,873 notes"],
    [aStatus({ phase: "embedding", chunks: { total: 3, embedded: 2, pending: 1 } }), "$(sync~spin) Notekin: meaning 66 %"],
    [aStatus({ phase: "paused", reason: "user" }), "$(debug-pause) Notekin: paused"],
    [aStatus({ phase: "failed", reason: "noSpace" }), "$(error) Notekin: failed"],
  ])("says %o", (status, text) => {
    expect(shown(status)).toBe(text);
  });

  it.each(["starting", "scanning", "indexing", "embedding", "idle", "paused", "failed"] as Phase[])("spins only while working: %s", (phase) => {
    expect(shown(aStatus({ phase })).includes("spin")).toBe(["starting", "scanning", "indexing", "embedding"].includes(phase));
  });

  it("speaks for the vault that most needs it", () => {
    expect(shown(aStatus(), aStatus({ phase: "failed" }))).toContain("failed");
    expect(shown(aStatus({ phase: "paused" }), aStatus({ phase: "indexing" }))).toContain("of");
  });

  it("shows what notes are called as it is", () => {
    const failures = [{ uri: `${VAULT}/%5Bx%5D%28command:evil%29.md`, reason: "not <b>text</b>" }];
    const status = aStatus({ failures, current: "![](http://a/b.png)", notes: { ...aStatus().notes, failed: 1 } });
    const { tooltip, severity } = barText("running", [status], new Map([[VAULT, "[n](command:x)"]]), t);
    expect(tooltip).not.toMatch(/(?<!\\)\]\(|(?<!\\)<b>/);
    expect(severity).toBe("warning");
  });

  it("tells model, reason and time in its tooltip, and speaks without icons", () => {
    const { tooltip, spoken } = barText("running", [aStatus({ phase: "paused", reason: "onBattery", etaSeconds: 600 })], NAMES, t);
    expect(tooltip).toContain("runs on battery");
    expect(tooltip).toContain("10 min");
    expect(spoken).toBe("Notekin: paused, the computer runs on battery");
  });

  it.each([
    ["modelFailed", "the model failed"],
    ["folderMissing", "the folder of the notes is gone"],
    ["internal", "an error of its own"],
    ["newToday", "newToday"],
  ])("says why a vault is where it is: %s", (reason, sentence) => {
    expect(barText("running", [aStatus({ phase: "failed", reason })], NAMES, t).tooltip).toContain(sentence);
  });

  it("says how the server is before it says anything of vaults", () => {
    for (const server of ["needsSetup", "settingUp", "starting", "stopped"] as const) {
      expect(barText(server, [aStatus()], NAMES, t).text).not.toContain("1,873");
    }
    expect(barText("running", [], NAMES, t).tooltip).toContain("No folder");
  });

  it("says why nothing can be asked, and whether that passes by itself", () => {
    expect(whyNotAsked("starting", t)).toEqual({ text: "The server is starting.", comesByItself: true });
    expect(whyNotAsked("stopped", t).comesByItself).toBe(false);
  });

  it("knows files by name", () => {
    expect(fileName("file:///a/b%20c.md")).toBe("b c.md");
    expect(fileName("file:///a/%E0.md")).toBe("%E0.md");
  });
});

describe("the menu", () => {
  const all = ["notekin/pause", "notekin/resume", "notekin/reindex"];
  const actions = (statuses: IndexStatus[], methods = all): Action[] => menuItems("running", statuses, methods, t).map(({ action }) => action);

  it("offers what can be done now", () => {
    expect(actions([aStatus()])).toContain("pause");
    expect(actions([aStatus()])).not.toContain("resume");
    expect(actions([aStatus({ phase: "paused", reason: "user" })])).toContain("resume");
    expect(actions([aStatus({ phase: "paused", reason: "onBattery" })])).toContain("indexNow");
    expect(actions([aStatus({ phase: "idle", reason: "onBattery" })])).toContain("indexNow");
    expect(actions([aStatus({ phase: "failed", reason: "noSpace" })])).toContain("resume");
    expect(actions([aStatus({ phase: "paused", reason: "otherProcess" })])).not.toContain("resume");
    expect(actions([aStatus({ notes: { ...aStatus().notes, failed: 2 } })])).toContain("failures");
    const labels = (failed: number): string[] => menuItems("running", [aStatus({ notes: { ...aStatus().notes, failed } })], all, t).map(({ label }) => label);
    expect(labels(2)).toContain("$(warning) Show 2 Unreadable Notes");
    expect(labels(1)).toContain("$(warning) Show the Unreadable Note");
  });

  it("offers nothing that the server does not serve", () => {
    const offered = actions([aStatus(), aStatus({ phase: "paused", reason: "user" })], []);
    expect(offered).not.toEqual(expect.arrayContaining(["pause"]));
    expect(offered).not.toEqual(expect.arrayContaining(["resume"]));
    expect(offered).not.toEqual(expect.arrayContaining(["rebuild"]));
  });

  it("begins with what is needed when there is no server", () => {
    expect(menuItems("needsSetup", [], [], t)[0]?.action).toBe("setUp");
    expect(menuItems("stopped", [], [], t)[0]?.action).toBe("restart");
  });
});

describe("a bar", () => {
  it("grows by what was added and never goes back", () => {
    const bar = new Increments();
    expect([bar.step({ percentage: 10 }), bar.step({ percentage: 5, message: "m" }), bar.step({ percentage: 30 })]).toEqual([
      { increment: 10 },
      { message: "m" },
      { increment: 20 },
    ]);
  });
});
