/** The parts that touch this machine, against the real one. */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findCargo } from "../../src/host/cargo";
import { Consent } from "../../src/host/consent";
import { Environment } from "../../src/host/environment";
import { holding } from "../../src/host/lock";
import { platformHere, probe } from "../../src/host/machine";
import { endProgram, startProgram } from "../../src/host/program";
import { run } from "../../src/host/run";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "notekin-test-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const node = process.execPath;

describe("a program", () => {
  it("is told by its status, its lines and the end of its output", async () => {
    const lines: string[] = [];
    const ending = await run(node, ["-e", "console.log('a\\nb'); console.error('c'); process.exit(3)"], { cwd: folder, onLine: (line) => lines.push(line) });
    expect(ending).toMatchObject({ status: 3, cancelled: false });
    expect(lines.sort()).toEqual(["a", "b", "c"]);
  });

  it("that is not there says so", async () => {
    const ending = await run(path.join(folder, "gone"), [], { cwd: folder });
    expect(ending.status).toBeNull();
    expect(ending.output).toContain("ENOENT");
  });

  it("is stopped by a cancel", async () => {
    const controller = new AbortController();
    const onLine = (): void => {
      controller.abort();
    };
    const ending = await run(node, ["-e", "console.log('up'); setInterval(() => {}, 1000)"], { cwd: folder, signal: controller.signal, onLine });
    expect(ending.cancelled).toBe(true);
  });

  it("that is no Python is no Python", async () => {
    expect(await probe(node)).toBeUndefined();
    expect(await probe(path.join(folder, "gone"))).toBeUndefined();
  });
});

describe("the server's program", () => {
  const exit = async (child: ChildProcess): Promise<unknown> => (child.exitCode ?? child.signalCode ?? (await once(child, "exit"))) as unknown;

  it("talks on its streams, and aside in lines", async () => {
    const lines: string[] = [];
    const program = "process.stdin.pipe(process.stdout); console.error('one\\ntwo')";
    const child = await startProgram({ program: node, parameters: ["-e", program], cwd: folder }, (line) => lines.push(line));
    child.stdin.end("hello");
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    await once(child, "close");
    expect(said.toString()).toBe("hello");
    expect(lines).toEqual(["one", "two"]);
  });

  it("that cannot be started says why", async () => {
    await expect(startProgram({ program: path.join(folder, "gone"), parameters: [], cwd: folder }, () => undefined)).rejects.toThrow("ENOENT");
  });

  it("is ended when it does not end by itself", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const child = await startProgram({ program: node, parameters: ["-e", "setInterval(() => {}, 1000)"], cwd: folder }, () => undefined);
    endProgram(child);
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    await exit(child);
    expect(child.signalCode).toBe("SIGTERM");
  });

  it("that has ended is waited for no more", async () => {
    const child = await startProgram({ program: node, parameters: ["-e", ""], cwd: folder }, () => undefined);
    await exit(child);
    vi.useFakeTimers();
    endProgram(child);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

describe("an environment", () => {
  const cargo = { version: "1.0.0", wheel: "w", constraints: "c", hash: "abc" };

  it("is ready once marked, while its interpreter is there", async () => {
    const environment = new Environment(folder, cargo, platformHere());
    expect(environment.isReady("")).toBe(false);
    await mkdir(path.dirname(environment.interpreter), { recursive: true });
    await symlink(node, environment.interpreter);
    expect(environment.isReady("")).toBe(false);
    await environment.markReady("/usr/bin/python3");
    expect(environment.isReady("")).toBe(true);
    expect(environment.isReady("/usr/bin/python3")).toBe(true);
    expect(environment.isReady("/opt/python")).toBe(false);
    await rm(environment.interpreter);
    await symlink(path.join(folder, "python-that-was-removed"), environment.interpreter);
    expect(environment.isReady("")).toBe(false);
  });

  it("removes those of other versions once nobody used them for a day, and nothing else", async () => {
    const environment = new Environment(folder, cargo, platformHere());
    const other = new Environment(folder, { ...cargo, hash: "used" }, platformHere());
    const half = path.join(folder, "server-0.9.0-half-made");
    for (const made of [half, path.join(folder, "other"), environment.folder, other.folder]) await mkdir(made);
    await environment.markReady("p");
    await other.markReady("p");
    const [now, day] = [Date.now(), 24 * 60 * 60 * 1000];
    await environment.use(now + day - 60_000);
    expect(await readdir(folder)).toHaveLength(4);
    await other.use(now + day + 60_000);
    expect((await readdir(folder)).sort()).toEqual(["other", path.basename(environment.folder), path.basename(other.folder)].sort());
  });
});

describe("an answer", () => {
  it("is kept, and none is none", async () => {
    const consent = new Consent(path.join(folder, "storage"));
    expect(await consent.read()).toBeUndefined();
    await consent.write("declined");
    expect(await consent.read()).toBe("declined");
    await consent.write("agreed");
    expect(await consent.read()).toBe("agreed");
  });
});

describe("the cargo", () => {
  it("is known by its content", async () => {
    expect(findCargo(path.join(folder, "gone"), "1")).toBeUndefined();
    await writeFile(path.join(folder, "notekin-1-py3-none-any.whl"), "wheel");
    await writeFile(path.join(folder, "constraints.txt"), "pins");
    const first = findCargo(folder, "1");
    await writeFile(path.join(folder, "constraints.txt"), "other pins");
    const second = findCargo(folder, "1");
    expect(first?.wheel).toContain(".whl");
    expect(second?.hash).not.toBe(first?.hash);
  });
});

describe("a lock", () => {
  const now = (): Promise<void> => Promise.resolve();

  it("lets one work after the other", async () => {
    const file = path.join(folder, "lock");
    const order: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    };
    const { signal } = new AbortController();
    const wait = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await Promise.all([holding(file, wait, signal, work("a")), holding(file, wait, signal, work("b"))]);
    expect(order.map((entry) => entry.split(" ")[1])).toEqual(["begins", "ends", "begins", "ends"]);
    expect(await readdir(folder)).toEqual([]);
  });

  it("of a process that is gone is taken over", async () => {
    const file = path.join(folder, "lock");
    const { output } = await run(node, ["-e", "console.log(process.pid)"], { cwd: folder });
    await writeFile(file, output.trim());
    expect(await holding(file, now, new AbortController().signal, () => Promise.resolve("done"))).toBe("done");
  });

  it("that nobody touches any more is taken over, although its number lives again", async () => {
    const file = path.join(folder, "lock");
    await writeFile(file, String(process.pid));
    const before = Date.now() / 1000 - 120;
    await utimes(file, before, before);
    expect(await holding(file, now, new AbortController().signal, () => Promise.resolve("done"))).toBe("done");
  });

  it("is touched while it is held", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const file = path.join(folder, "lock");
    await holding(file, now, new AbortController().signal, async () => {
      await utimes(file, 1, 1);
      vi.advanceTimersByTime(10_000);
      await vi.waitFor(async () => { expect((await stat(file)).mtimeMs).toBeGreaterThan(1000); });
    });
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it("is waited for no longer than the person wants", async () => {
    const file = path.join(folder, "lock");
    await writeFile(file, String(process.pid));
    const controller = new AbortController();
    controller.abort();
    expect(await holding(file, now, controller.signal, () => Promise.resolve("done"))).toBeUndefined();
  });
});
