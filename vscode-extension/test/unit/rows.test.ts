import { describe, expect, it } from "vitest";
import { byNote } from "../../src/core/grouping";
import { readHistory, remember } from "../../src/core/history";
import { plainEnglish as t } from "../../src/core/l10n";
import { recentRows } from "../../src/core/recent";
import type { IndexStatus } from "../../src/core/protocol";
import { rowsOf, type Look, type Row } from "../../src/core/rows";
import { excerptAround, inLabel, inMarkdown, inMessage, oneLine } from "../../src/core/text";
import { aHit, aResult, aStatus, VAULT } from "./samples";

const LOOK: Look = { scores: false, vaultNames: new Map([[VAULT, "notes"]]) };
const labels = (rows: readonly Row[]): string[] => rows.map((row) => row.label);

describe("rows", () => {
  it("keep the server's order", () => {
    const hits = ["Zebra", "Apple", "Query", "Middle"].map((title) => aHit({ title }));
    expect(labels(rowsOf(aResult({ hits }), LOOK, t))).toEqual(["Zebra", "Apple", "Query", "Middle"]);
  });

  it("name headings and the line of the first match, counted from 1", () => {
    const [row] = rowsOf(aResult(), LOOK, t);
    expect(row).toMatchObject({ label: "Soil", description: "Feeding it  ·  line 6" });
  });

  it("name the page of a PDF, the vault among several, weakness, and the score when asked", () => {
    const look: Look = { scores: true, vaultNames: new Map([[VAULT, "notes"], ["file:///other", "other"]]) };
    const [row] = rowsOf(aResult({ hits: [aHit({ page: 3, weak: true, headings: [] })] }), look, t);
    expect(row).toMatchObject({ description: "page 3  ·  notes  ·  weak  ·  0.81" });
  });

  it("draw no icon that a note asks for", () => {
    const [row] = rowsOf(aResult({ hits: [aHit({ title: "$(sync~spin) a", text: "$(error) b", highlights: [] })] }), LOOK, t);
    expect(row).toMatchObject({ label: "\\$(sync~spin) a", detail: "\\$(error) b" });
  });
});

describe("the verdict", () => {
  const pending = { total: 1873, indexed: 40, pending: 1833, failed: 0, excluded: 0 };
  it.each([
    ["notFound", aStatus(), "Not found in your notes"],
    ["incomplete", aStatus({ phase: "indexing", notes: pending }), "Still indexing 40 of 1,873"],
    ["incomplete", aStatus({ chunks: { total: 10, embedded: 0, pending: 10 } }), "By words only until the model is ready"],
    ["incomplete", aStatus({ chunks: { total: 1000, embedded: 400, pending: 600 } }), "By meaning so far: 400 of 1,000 passages"],
    ["incomplete", aStatus({ reason: "modelMissing" }), "By words only: the model cannot be loaded"],
    ["incomplete", aStatus(), "By words only until the model is ready"],
    ["incomplete", aStatus({ phase: "starting" }), "The index is being opened"],
    ["incomplete", aStatus({ phase: "paused", reason: "user", notes: pending }), "Indexed so far: 40 of 1,873 notes"],
    ["incomplete", aStatus({ phase: "paused", reason: "otherProcess", notes: pending }), "Still indexing 40 of 1,873"],
    ["incomplete", aStatus({ reason: "onBattery", chunks: { total: 10, embedded: 0, pending: 10 } }), "By meaning so far: 0 of 10 passages"],
    ["incomplete", aStatus({ phase: "paused", reason: "user" }), "Indexing is paused"],
    ["incomplete", aStatus({ phase: "failed", reason: "noSpace" }), "The index cannot go on"],
  ] as const)("%s is told first: %o", (verdict, status, label) => {
    expect(labels(rowsOf(aResult({ verdict, status: [status] }), LOOK, t))).toEqual([label, "Soil"]);
  });

  it("spins only where something goes on by itself, and says why it does not", () => {
    const [paused, other] = [aStatus({ phase: "paused", reason: "user", notes: pending }), aStatus({ phase: "indexing" })];
    const told = (...status: IndexStatus[]): Row | undefined => rowsOf(aResult({ verdict: "incomplete", status }), LOOK, t)[0];
    expect(told(paused)).toMatchObject({ icon: "debug-pause", detail: "you paused it" });
    expect(told(paused, other)).toMatchObject({ icon: "sync~spin" });
    expect(told(paused, aStatus({ phase: "failed", reason: "noSpace" }))).toMatchObject({ icon: "warning", detail: "the disk is full" });
  });

  it("says nothing when all is well", () => {
    expect(rowsOf(aResult({ hits: [] }), LOOK, t)).toEqual([]);
  });
});

describe("text of notes", () => {
  it("is cut around its first match, between words", () => {
    const text = `${"before ".repeat(60)}needle ${"after ".repeat(60)}`;
    const at = text.indexOf("needle");
    const excerpt = excerptAround(text, [{ start: at, end: at + 6 }], 80);
    expect(excerpt).toMatch(/^…(before )+needle (after ?)+…$/);
    expect(excerpt.length).toBeLessThanOrEqual(82);
  });

  it("begins after its own headings, which the row names already", () => {
    const text = "# Soil\n\n## Feeding it\n\nCompost, every spring.";
    expect(excerptAround(text, [{ start: 2, end: 6 }])).toBe("Compost, every spring.");
    expect(excerptAround("# Only a heading", [])).toBe("# Only a heading");
    expect(excerptAround(`# Soil\n${"word ".repeat(100)}`, [{ start: 2, end: 6 }], 40)).toMatch(/^word/);
  });

  it("loses the rule under the head of a table", () => {
    const table = "| Trigger | Attacks |\n|---|---:|\n| red wine | 4 |";
    expect(excerptAround(table, [])).toBe("| Trigger | Attacks | | red wine | 4 |");
    const at = table.indexOf("red");
    expect(excerptAround(table, [{ start: at, end: at + 3 }], 20)).toContain("red wine");
    expect(excerptAround("a\n---\nb", [])).toBe("a --- b");
  });

  it("is found again where blanks were joined", () => {
    const text = `${"a\n\n\n\n\n\n".repeat(100)}needle`;
    expect(excerptAround(text, [{ start: text.indexOf("needle"), end: text.length }], 40)).toContain("needle");
  });

  it("is never cut within a character", () => {
    const text = "😀".repeat(300);
    for (let limit = 20; limit < 30; limit += 1) {
      for (const start of [0, 200, 598]) expect(excerptAround(text, [{ start, end: start + 2 }], limit)).toMatch(/^…?(😀)+…?$/u);
    }
  });

  it("loses what would act instead of being shown", () => {
    expect(oneLine("a\u202e\u0000b\r\nc")).toBe("a b c");
    expect(inMessage("[x](command:evil).md")).toBe("[x] (command:evil).md");
    expect(inLabel("$(a) $b")).toBe("\\$(a) $b");
    expect(inMarkdown("[x](command:evil) ![](http://a.b/c) <img>")).not.toMatch(/(?<!\\)[[\](!<:]/);
  });
});

describe("an empty search", () => {
  it("shows queries and notes of late, under their headings", () => {
    const rows = recentRows(["soil"], [{ uri: "file:///n/a.md", path: "garden/a.md" }], t);
    expect(labels(rows)).toEqual(["recent searches", "soil", "recent notes", "a.md"]);
    expect(rows[3]).toMatchObject({ description: "garden" });
    expect(recentRows([], [], t)).toEqual([]);
  });

  it("remembers each query once, the newest first", () => {
    expect(remember(["b", "a"], " a ")).toEqual(["a", "b"]);
    expect(remember(["a"], "  ")).toEqual(["a"]);
    expect(remember(["c", "b", "a"], "d", 2)).toEqual(["d", "c"]);
    expect(readHistory(["a", 1, null, "b"])).toEqual(["a", "b"]);
    expect(readHistory({ a: 1 })).toEqual([]);
  });
});

describe("related passages", () => {
  it("are grouped by note, best note first, and say what is linked", () => {
    const hits = [aHit({ uri: "b" }), aHit({ uri: "a", title: "A" }), aHit({ uri: "b", linked: true })];
    expect(byNote(hits).map(({ uri, linked, hits: own }) => [uri, linked, own.length])).toEqual([
      ["b", true, 2],
      ["a", false, 1],
    ]);
  });
});
