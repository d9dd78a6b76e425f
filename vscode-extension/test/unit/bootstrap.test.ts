import { describe, expect, it } from "vitest";
import { ensureEnvironment, troubleOf, type Cargo, type Ending, type Site } from "../../src/core/bootstrap";
import { plainEnglish } from "../../src/core/l10n";
import type { Choice } from "../../src/core/python";
import { messageOf, question } from "../../src/core/troubles";
import type { Trouble } from "../../src/core/bootstrap";

const CARGO: Cargo = { version: "1.0.0", wheel: "/x/notekin.whl", constraints: "/x/constraints.txt", hash: "abc" };
const PYTHON: Choice = {
  kind: "found",
  candidate: { path: "/usr/bin/python3", origin: "path" },
  probe: { version: [3, 12], hasEnsurepip: true, machine: "x86_64" },
};

class FakeSite implements Site {
  public readonly folder = "/g/server";
  public readonly interpreter = "/g/server/bin/python";
  public readonly calls: string[] = [];
  public readonly steps: string[] = [];
  public readonly percents: number[] = [];
  public isStamped = false;

  public constructor(private readonly endings: readonly Partial<Ending>[] = []) {}

  public isReady(): boolean {
    return this.isStamped;
  }
  public run(program: string, parameters: readonly string[], onLine: (line: string) => void): Promise<Ending> {
    const ending = this.endings[this.calls.length] ?? {};
    this.calls.push([program, ...parameters].join(" "));
    for (const line of ["Collecting numpy (from notekin)", "  Downloading numpy (16 MB)", "Installing collected packages: numpy"]) onLine(line);
    return Promise.resolve({ status: 0, output: "", cancelled: false, ...ending });
  }
  public progress(percent: number): void {
    this.percents.push(percent);
  }
  public begins(step: string): void {
    this.steps.push(step);
  }
  public markReady(python: string): Promise<void> {
    this.calls.push(`mark ${python}`);
    this.isStamped = true;
    return Promise.resolve();
  }
  public discard(): Promise<void> {
    this.calls.push("discard");
    return Promise.resolve();
  }
}

describe("making the environment", () => {
  it("makes, installs, checks, and only then marks it", async () => {
    const site = new FakeSite();
    expect(await ensureEnvironment(site, CARGO, PYTHON)).toEqual({ kind: "ready", interpreter: site.interpreter });
    const [venv, pip, check, ...rest] = site.calls;
    expect(venv).toBe("/usr/bin/python3 -I -m venv --clear /g/server");
    expect(pip).toContain("--only-binary :all: --constraint /x/constraints.txt /x/notekin.whl");
    expect(check).toContain("import notekin");
    expect(rest).toEqual(["mark /usr/bin/python3"]);
    expect(site.steps).toEqual(["environment", "install", "check"]);
  });

  it("runs every interpreter isolated from the folder and the environment it is called in", async () => {
    const site = new FakeSite();
    await ensureEnvironment(site, CARGO, PYTHON);
    expect(site.calls.slice(0, 3).every((call) => call.split(" ")[1] === "-I")).toBe(true);
  });

  it("does nothing where another window was quicker", async () => {
    const site = new FakeSite();
    site.isStamped = true;
    expect((await ensureEnvironment(site, CARGO, PYTHON)).kind).toBe("ready");
    expect(site.calls).toEqual([]);
  });

  it.each([0, 1, 2])("leaves nothing behind when step %i fails or is cancelled", async (step) => {
    for (const ending of [{ status: 1, output: "boom\n" }, { status: null, cancelled: true }]) {
      const endings: Partial<Ending>[] = [];
      endings[step] = ending;
      const site = new FakeSite(endings);
      expect((await ensureEnvironment(site, CARGO, PYTHON)).kind).toBe("cancelled" in ending ? "cancelled" : "failed");
      expect(site.calls.at(-1)).toBe("discard");
      expect(site.isStamped).toBe(false);
    }
  });

  it("leaves nothing behind when the disk is too full to mark it", async () => {
    const site = new FakeSite();
    site.markReady = () => Promise.reject(Object.assign(new Error("write"), { code: "ENOSPC" }));
    await expect(ensureEnvironment(site, CARGO, PYTHON)).rejects.toThrow("write");
    expect(site.calls.at(-1)).toBe("discard");
  });

  it("has a bar that never goes back", async () => {
    const site = new FakeSite();
    await ensureEnvironment(site, CARGO, PYTHON);
    expect(site.percents).toEqual([...site.percents].sort((one, other) => one - other));
  });
});

describe("naming what went wrong", () => {
  it.each([
    ["OSError: [Errno 28] No space left on device", "diskFull"],
    ["[WinError 112] There is not enough space on the disk", "diskFull"],
    ["The virtual environment was not created successfully because ensurepip is not available.", "noEnsurepip"],
    ["NewConnectionError('… Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')", "noNetwork"],
    [
      "WARNING: Retrying … NewConnectionError …\nERROR: No matching distribution found for apsw==3.54",
      "noNetwork", // What pip says last is not the cause.
    ],
    ["ERROR: No matching distribution found for onnxruntime==1.32.0", "noWheel"],
    ["something\nelse\n\n", "failed"],
  ])("%s", (output, kind) => {
    expect(troubleOf("install", output, { path: "/p", version: "3.12" }).kind).toBe(kind);
  });

  const troubles: Trouble[] = [
    { kind: "noPython" },
    { kind: "doesNotStart", path: "/p" },
    { kind: "insideWorkspace", path: "/p" },
    { kind: "wrongVersion", path: "/p", version: "3.9" },
    { kind: "noEnsurepip", path: "/p", version: "3.12" },
    { kind: "intelMac", path: "/p" },
    { kind: "badCommand", program: "/p/notekin" },
    { kind: "otherProtocol", program: "/p/notekin" },
    { kind: "noNetwork" },
    { kind: "diskFull" },
    { kind: "noWheel", what: "onnxruntime" },
    { kind: "failed", step: "install", lastLine: "boom" },
  ];

  it.each(troubles)("$kind is told with a sentence and at least one button", (trouble) => {
    const message = messageOf(trouble, "linux", plainEnglish);
    expect(message?.text).toMatch(/^[A-Z/].*[^{}]$/);
    expect(message?.text).not.toMatch(/\{\d\}/);
    expect(message?.remedies.length).toBeGreaterThan(0);
  });

  it("names the package that Debian keeps apart, on Linux only", () => {
    const trouble: Trouble = { kind: "noEnsurepip", path: "/usr/bin/python3", version: "3.11" };
    expect(messageOf(trouble, "linux", plainEnglish)?.text).toContain("python3.11-venv");
    expect(messageOf(trouble, "win32", plainEnglish)?.text).not.toContain("Debian");
  });

  it("says nothing about what the person decided", () => {
    expect(messageOf({ kind: "declined" }, "linux", plainEnglish)).toBeUndefined();
    expect(messageOf({ kind: "cancelled" }, "linux", plainEnglish)).toBeUndefined();
  });

  it("says how much is downloaded before it asks", () => {
    expect(question("/p", "3.12", plainEnglish)).toMatch(/\d+ MB are downloaded/);
  });
});
