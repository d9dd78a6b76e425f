/** This machine: its platform, its files, its interpreters. */

import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { Platform } from "../core/paths";
import { PROBE_PROGRAM, readProbe, type Probe } from "../core/python";
import { run } from "./run";

const PROBE_MS = 10_000;

/** The platform whose rules for paths hold here. */
export function platformHere(): Platform {
  return process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
}

/** Where a file really lies, links followed; undefined when there is none. */
export async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Ask an interpreter for its version; undefined when it does not start or says something else. */
export async function probe(path: string): Promise<Probe | undefined> {
  const { status, output } = await run(path, ["-I", "-c", PROBE_PROGRAM], { cwd: tmpdir(), timeoutMs: PROBE_MS });
  return status === 0 ? readProbe(output) : undefined;
}
