import { describe, expect, it } from "vitest";
import { interpreterIn, isInside } from "../../src/core/paths";
import { choose, onPath, readProbe, type Candidate, type Probe, type Surroundings } from "../../src/core/python";

const FIT: Probe = { version: [3, 12], hasEnsurepip: true, machine: "x86_64" };

function around(probes: Record<string, Probe>, links: Record<string, string> = {}): Surroundings & { started: string[] } {
  const started: string[] = [];
  return {
    started,
    platform: "linux",
    workspaceFolders: ["/home/me/notes"],
    realPath: (path) => Promise.resolve(path in probes ? (links[path] ?? path) : undefined),
    probe: (path) => {
      started.push(path);
      return Promise.resolve(probes[path]);
    },
  };
}

const onPathAt = (...paths: string[]): Candidate[] => paths.map((path) => ({ path, origin: "path" }));

describe("choosing a Python", () => {
  it("takes the first fit one", async () => {
    const there = around({ "/old": { ...FIT, version: [3, 9] }, "/fit": FIT, "/later": FIT });
    expect(await choose(onPathAt("/gone", "/old", "/fit", "/later"), there)).toMatchObject({ kind: "found", candidate: { path: "/fit" } });
  });

  it("never starts one that lies in a workspace folder, nor one that leads there", async () => {
    const inside = "/home/me/notes/.venv/bin/python";
    const there = around({ [inside]: FIT, "/link": FIT }, { [inside]: "/usr/bin/python3", "/link": "/home/me/notes/evil" });
    expect(await choose(onPathAt(inside, "/link"), there)).toMatchObject({ kind: "insideWorkspace", path: inside });
    expect(there.started).toEqual([]);
  });

  it("takes the person's word or refuses it, and asks no other", async () => {
    const there = around({ "/old": { ...FIT, version: [3, 15] }, "/fit": FIT });
    const named: Candidate[] = [{ path: "/old", origin: "setting" }, ...onPathAt("/fit")];
    expect(await choose(named, there)).toEqual({ kind: "wrongVersion", path: "/old", version: "3.15" });
    expect(await choose([{ path: "/gone", origin: "setting" }, ...onPathAt("/fit")], there)).toEqual({ kind: "doesNotStart", path: "/gone" });
  });

  it.each([
    [{}, { kind: "noPython" }],
    [{ "/a": { ...FIT, version: [2, 7] } }, { kind: "wrongVersion", path: "/a", version: "2.7" }],
    [{ "/a": { ...FIT, version: [2, 7] }, "/b": { ...FIT, hasEnsurepip: false } }, { kind: "noEnsurepip", path: "/b", version: "3.12" }],
  ] as [Record<string, Probe>, object][])("tells the most telling reason: %o", async (probes, reason) => {
    expect(await choose(onPathAt("/a", "/b"), around(probes))).toEqual(reason);
  });

  it("refuses one for Macs with an Intel processor, where the server cannot run, and only there", async () => {
    const there = around({ "/intel": FIT, "/silicon": { ...FIT, machine: "arm64" } });
    expect(await choose(onPathAt("/intel"), { ...there, platform: "darwin" })).toEqual({ kind: "intelMac", path: "/intel" });
    expect(await choose(onPathAt("/intel", "/silicon"), { ...there, platform: "darwin" })).toMatchObject({ candidate: { path: "/silicon" } });
    expect(await choose(onPathAt("/intel"), there)).toMatchObject({ kind: "found" });
  });

  it("reads what a probe prints, and nothing else", () => {
    expect(readProbe("a warning\n[[3, 13], true, \"arm64\"]\n")).toEqual({ version: [3, 13], hasEnsurepip: true, machine: "arm64" });
    for (const other of ["", "Python 3.12", "[]", "[[3], true]", '{"a": 1}']) expect(readProbe(other)).toBeUndefined();
  });
});

describe("PATH", () => {
  it("is read in order, names first, without relative folders", () => {
    expect(onPath("/a:.:bin::/b:/a", "linux").slice(0, 3)).toEqual(["/a/python3", "/b/python3", "/a/python3.13"]);
  });

  it("of Windows has quotes, semicolons and a shop in it", () => {
    const path = '"C:\\Python 312";C:\\Users\\me\\AppData\\Local\\Microsoft\\WindowsApps;tools';
    expect(onPath(path, "win32")).toEqual(["C:\\Python 312\\python.exe", "C:\\Python 312\\python3.exe"]);
  });
});

describe("paths", () => {
  it.each([
    ["/notes/a", "/notes", "linux", true],
    ["/notes", "/notes/", "linux", true],
    ["/notes2/a", "/notes", "linux", false],
    ["/notes/../etc/a", "/notes", "linux", false],
    ["/notes/..a/b", "/notes", "linux", true],
    ["/Notes/a", "/notes", "linux", false],
    ["/Notes/a", "/notes", "darwin", true],
    ["/no\u0308tes/a", "/n\u00f6tes", "darwin", true],
    ["c:\\notes\\.venv\\Scripts\\python.exe", "C:\\Notes", "win32", true],
    ["D:\\notes\\a", "C:\\notes", "win32", false],
    ["C:/notes/a", "C:\\notes", "win32", true],
  ] as const)("%s in %s on %s: %s", (file, folder, platform, expected) => {
    expect(isInside(file, folder, platform)).toBe(expected);
  });

  it("of an environment's interpreter differ by system", () => {
    expect(interpreterIn("/e", "darwin")).toBe("/e/bin/python");
    expect(interpreterIn("C:\\e", "win32")).toBe("C:\\e\\Scripts\\python.exe");
  });
});
