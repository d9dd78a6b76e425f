import { describe, expect, it } from "vitest";
import { linkTo, relativeUri, slug } from "../../src/core/links";
import { cursorOf, highlightRanges, placeOf, positionAt, readOpenArgument, withReadableLinks } from "../../src/core/places";
import { modeName, MODES, next, scopeName, scopes, searchParams } from "../../src/core/scope";
import { plainEnglish as t } from "../../src/core/l10n";
import { aHit, VAULT } from "./samples";

describe("positions", () => {
  it.each([
    ["abc", 2, [7, 6]],
    ["a\nbc", 3, [8, 1]],
    ["a\r\nbc", 4, [8, 1]],
    ["a\rb\r\nc", 5, [9, 0]],
    ["a\u2028b\u0085c", 4, [7, 8]],
    ["😀x", 2, [7, 6]],
  ])("of %j at %i", (text, offset, [line, character]) => {
    expect(positionAt(text, offset, { line: 7, character: 4 })).toEqual({ line, character });
  });

  it("of highlights begin where the passage begins", () => {
    expect(highlightRanges(aHit())).toEqual([{ start: { line: 5, character: 0 }, end: { line: 5, character: 5 } }]);
    expect(cursorOf(aHit({ highlights: [] }))).toEqual({ line: 4, character: 0 });
  });

  it("of a PDF are those of its text", () => {
    const textDocument = { uri: "notekin-pdf:/x.pdf", range: { start: { line: 9, character: 2 }, end: { line: 9, character: 5 } } };
    expect(placeOf(aHit({ page: 2, textDocument })).uri).toBe("notekin-pdf:/x.pdf");
    expect(cursorOf(aHit({ page: 2, textDocument, highlights: [{ start: 1, end: 2 }] }))).toEqual({ line: 9, character: 3 });
  });
});

describe("the command behind a link", () => {
  it("accepts a place in an opened folder", () => {
    const { range } = aHit();
    expect(readOpenArgument({ uri: `${VAULT}/a.md`, range }, [VAULT])).toEqual({ uri: `${VAULT}/a.md`, pdf: `${VAULT}/a.md`, range });
    expect(readOpenArgument({ uri: `${VAULT}/a.pdf`, page: 3 }, [VAULT])).toMatchObject({ page: 3 });
  });

  it("accepts the text of a PDF in an opened folder", () => {
    const uri = VAULT.replace("file:", "notekin-pdf:");
    expect(readOpenArgument({ uri: `${uri}/a.pdf.md` }, [VAULT])).toMatchObject({ uri: `${uri}/a.pdf.md`, pdf: `${VAULT}/a.pdf` });
    expect(readOpenArgument({ uri: `${uri}-other/a.pdf.md` }, [VAULT])).toBeUndefined();
    expect(readOpenArgument({ uri: "notekin-pdf:///etc/passwd.md" }, [VAULT])).toBeUndefined();
  });

  it("takes the place of a hover's links to PDFs, and of nothing else", () => {
    const linked = withReadableLinks(`[A p. 7](${VAULT}/a%20%28b%29.pdf#page=7&line=12) and [B](${VAULT}/b.md#L1,1-L1,1)`, "x.open", (uri) => uri);
    const argument = /command:x\.open\?([^)]*)\)/.exec(linked)?.[1] ?? "";
    const start = { line: 11, character: 0 };
    expect(JSON.parse(decodeURIComponent(argument))).toEqual([
      { uri: `${VAULT.replace("file:", "notekin-pdf:")}/a%20%28b%29.pdf.md`, range: { start, end: start }, page: 7 },
    ]);
    expect(linked).toContain(`[B](${VAULT}/b.md#L1,1-L1,1)`);
  });

  it("holds on Windows, where a folder has a drive", () => {
    const drive = "file:///c%3A/Users/me/notes";
    expect(readOpenArgument({ uri: `${drive}/a.md` }, [drive])).toMatchObject({ uri: `${drive}/a.md` });
    expect(readOpenArgument({ uri: "notekin-pdf:///c%3A/Users/me/notes/a.pdf.md" }, [drive])).toBeDefined();
    expect(readOpenArgument({ uri: "file:///d%3A/Users/me/notes/a.md" }, [drive])).toBeUndefined();
    expect(readOpenArgument({ uri: `${drive}/..%5c..%5cb.md` }, [drive])).toBeUndefined();
    const share = "file://server/notes";
    expect(readOpenArgument({ uri: `${share}/a.md` }, [share])).toBeDefined();
    const linked = withReadableLinks("[A p. 2](file:///C:/Users/me/notes/a.pdf#page=2&line=3)", "x.open", (uri) => uri.replace("C:", "c%3A"));
    const argument = /\?([^)]*)\)/.exec(linked)?.[1] ?? "";
    expect(readOpenArgument((JSON.parse(decodeURIComponent(argument)) as unknown[])[0], [drive])).toMatchObject({ range: { start: { line: 2 } } });
  });

  it.each([
    undefined,
    null,
    "command:workbench.action.terminal.new",
    { uri: 1 },
    { uri: "https://example.org/a.md" },
    { uri: "command:evil" },
    { uri: "file:///etc/passwd" },
    { uri: `${VAULT}-other/a.md` },
    { uri: `${VAULT}/../secret.md` },
    { uri: `${VAULT}/%2e%2e/secret.md` },
    { uri: `${VAULT}/a%2f..%2f..%2fb` },
  ])("refuses %o", (argument) => {
    expect(readOpenArgument(argument, [VAULT])).toBeUndefined();
  });

  it("forgets a range or a page that is none", () => {
    const start = { line: 0, character: 0 };
    const told = readOpenArgument({ uri: `${VAULT}/a.md`, range: { start: { line: -1 } }, page: 0.5 }, [VAULT]);
    expect(told).toEqual({ uri: `${VAULT}/a.md`, pdf: `${VAULT}/a.md`, range: { start, end: start } });
  });
});

describe("links", () => {
  it.each([
    ["file:///n/a.md", "file:///n/b.md", "b.md"],
    ["file:///n/x/a.md", "file:///n/y/b.md", "../y/b.md"],
    ["file:///n/a.md", "file:///n/x/b%20c.md", "x/b%20c.md"],
    ["file:///n/x/y/a.md", "file:///b.md", "../../../b.md"],
    ["file:///c%3A/n/a.md", "file:///c%3A/m/b.md", "../m/b.md"],
    ["file:///c%3A/n/a.md", "file:///d%3A/m/b.md", "file:///d%3A/m/b.md"],
    ["file://host/n/a.md", "file:///n/b.md", "file:///n/b.md"],
    ["untitled:Untitled-1", "file:///n/b.md", "file:///n/b.md"],
  ])("from %s to %s", (from, to, expected) => {
    expect(relativeUri(from, to)).toBe(expected);
  });

  it("name the note, and the heading unless it is the title", () => {
    expect(linkTo(aHit(), `${VAULT}/a.md`, "markdown")).toBe("[Soil](garden/soil.md#feeding-it)");
    expect(linkTo(aHit({ headings: ["Soil"] }), undefined, "markdown")).toBe(`[Soil](${VAULT}/garden/soil.md)`);
    expect(linkTo(aHit(), undefined, "wiki")).toBe("[[soil#Feeding it]]");
    expect(linkTo(aHit({ page: 3 }), `${VAULT}/a.md`, "markdown")).toBe("[Soil](garden/soil.md#page=3)");
  });

  it("stay links whatever a title or a path holds", () => {
    const hit = aHit({ title: "a ] [b](c)\nd", headings: [], uri: `${VAULT}/a(1).md` });
    expect(linkTo(hit, `${VAULT}/x.md`, "markdown")).toBe("[a \\] \\[b\\](c) d](a%281%29.md)");
  });

  it("have the anchors that Markdown previews make", () => {
    expect(slug("What is it? Über-Größe 2.0")).toBe("what-is-it-über-größe-20");
  });
});

describe("scopes", () => {
  const notes = { uri: VAULT, name: "notes" };
  const other = { uri: "file:///home/me/other", name: "other" };

  it("are those that make a difference", () => {
    const kinds = (vaults: (typeof notes)[], note?: string): string[] => scopes({ vaults, note }).map(({ kind }) => kind);
    expect(kinds([notes])).toEqual(["all"]);
    expect(kinds([notes], `${VAULT}/a.md`)).toEqual(["all"]);
    expect(kinds([notes], `${VAULT}/garden/a.md`)).toEqual(["all", "folder"]);
    expect(kinds([notes, other], `${VAULT}/garden/a.md`)).toEqual(["all", "vault", "folder"]);
    expect(kinds([notes, other], "file:///elsewhere/a.md")).toEqual(["all", "vault", "vault"]);
    expect(kinds([notes, other])).toEqual(["all", "vault", "vault"]);
  });

  it("are the same on Windows", () => {
    const drive = { uri: "file:///c%3A/notes", name: "notes" };
    expect(scopes({ vaults: [drive], note: "file:///c%3A/notes/garden/a.md" })).toEqual([
      { kind: "all" },
      { kind: "folder", uri: "file:///c%3A/notes/garden", name: "garden" },
    ]);
    const whole = { uri: "file:///d%3A/", name: "D" };
    expect(scopes({ vaults: [whole], note: "file:///d%3A/a.md" })).toEqual([{ kind: "all" }]);
  });

  it("become params", () => {
    const [, , folder] = scopes({ vaults: [notes, other], note: `${VAULT}/my%20garden/a.md` });
    expect(folder && scopeName(folder, t)).toBe("folder my garden");
    expect(folder && searchParams("q", folder, "lexical", 5)).toEqual({
      query: "q",
      mode: "lexical",
      limit: 5,
      folders: [`${VAULT}/my%20garden`],
    });
    expect(searchParams("q", { kind: "all" }, "hybrid", 5)).not.toHaveProperty("folders");
  });

  it("go round", () => {
    expect(MODES.map((mode) => modeName(next(MODES, mode), t))).toEqual(["by words only", "by meaning only", "by words and meaning"]);
  });
});
