/** Setting up with Pythons that fail as real ones do: programs on disk, run for real. */

import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureEnvironment, troubleOfError, type Cargo, type Outcome, type Site } from "../../src/core/bootstrap";
import { choose } from "../../src/core/python";
import { Environment } from "../../src/host/environment";
import { platformHere, probe, realPath } from "../../src/host/machine";
import { run } from "../../src/host/run";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "notekin-test-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const cargo: Cargo = { version: "1.0.0", wheel: "notekin.whl", constraints: "constraints.txt", hash: "abc" };
const MADE = `mkdir -p "$5/bin" && cp "$0" "$5/bin/python" && cp "$0" "$5/bin/python.exe"`;

/** A Python 3.12 that tells what it is, and otherwise does what a script of the shell says. */
async function python(cases: { readonly venv?: string; readonly pip?: string; readonly check?: string; readonly hasEnsurepip?: boolean }): Promise<string> {
  const file = path.join(folder, "python3");
  const script = `#!/bin/sh
case "$*" in
  *sys.version_info*) echo '[[3, 12], ${String(cases.hasEnsurepip ?? true)}, "x"]';;
  *"-m venv"*) ${cases.venv ?? MADE};;
  *"-m pip"*) ${cases.pip ?? ":"};;
  *) ${cases.check ?? ":"};;
esac
`;
  await writeFile(file, script);
  await chmod(file, 0o755);
  return file;
}

async function setUp(file: string): Promise<Outcome> {
  const storage = path.join(folder, "storage");
  const environment = new Environment(storage, cargo, platformHere());
  await environment.prepare();
  const around = { platform: platformHere(), workspaceFolders: [], realPath, probe };
  const choice = await choose([{ path: file, origin: "setting" }], around);
  if (choice.kind !== "found") return choice;
  const site: Site = {
    folder: environment.folder,
    interpreter: environment.interpreter,
    isReady: () => environment.isReady(""),
    run: (program, parameters, onLine) => run(program, parameters, { cwd: storage, onLine }),
    begins: () => undefined,
    progress: () => undefined,
    markReady: (made) => environment.markReady(made),
    discard: () => environment.discard(),
  };
  return ensureEnvironment(site, cargo, choice);
}

const say = (...lines: readonly string[]): string => `${lines.map((line) => `echo '${line}'`).join("; ")}; exit 1`;

describe.skipIf(process.platform === "win32")("setting up", () => {
  it("is ready once, and not made again", async () => {
    const outcome = await setUp(await python({}));
    expect(outcome.kind).toBe("ready");
    expect(await setUp(await python({ venv: "exit 1" }))).toEqual(outcome);
  });

  it("needs ensurepip, which the Python may lack", async () => {
    expect(await setUp(await python({ hasEnsurepip: false }))).toMatchObject({ kind: "noEnsurepip", version: "3.12" });
  });

  const troubles: [string, Parameters<typeof python>[0], Outcome["kind"]][] = [
    [
      "Debian without python3-venv",
      {
        venv: say(
          "The virtual environment was not created successfully because ensurepip is not",
          "available.  On Debian/Ubuntu systems, you need to install the python3-venv",
          "package using the following command.",
        ),
      },
      "noEnsurepip",
    ],
    [
      "no network",
      {
        pip: say(
          "WARNING: Retrying (Retry(total=0)) after connection broken by NewConnectionError: [Errno -3] Temporary failure in name resolution: /simple/apsw/",
          "ERROR: Could not find a version that satisfies the requirement apsw (from notekin) (from versions: none)",
          "ERROR: No matching distribution found for apsw",
        ),
      },
      "noNetwork",
    ],
    ["a proxy that refuses", { pip: say("WARNING: Retrying after connection broken by ProxyError: Cannot connect to proxy.", "ERROR: No matching distribution found for apsw") }, "noNetwork"],
    ["a platform without wheels", { pip: say("ERROR: No matching distribution found for onnxruntime==1.27.0") }, "noWheel"],
    ["a full disk while pip unpacks", { pip: say("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device") }, "diskFull"],
    ["a full disk while the environment is made", { venv: say("Error: [Errno 28] No space left on device: /home/x/lib/python3.12/site-packages") }, "diskFull"],
    ["an import that fails", { check: say("ImportError: libstdc++.so.6: cannot open shared object file") }, "failed"],
  ];
  it.each(troubles)("names %s, and leaves nothing half-made", async (_, cases, kind) => {
    expect((await setUp(await python(cases))).kind).toBe(kind);
    expect(await readdir(path.join(folder, "storage"))).toEqual([]);
  });
});

describe("a file that cannot be written", () => {
  it.each(["ENOSPC", "EDQUOT"])("for lack of space (%s) is a full disk", (code) => {
    expect(troubleOfError(Object.assign(new Error("write"), { code }))).toEqual({ kind: "diskFull" });
  });

  it("for another reason is told with it", () => {
    expect(troubleOfError(new Error("EACCES: permission denied, mkdir '/x'"))).toEqual({
      kind: "failed",
      step: "environment",
      lastLine: "EACCES: permission denied, mkdir '/x'",
    });
  });
});
