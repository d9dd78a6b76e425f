/** The server's program: started without a shell, ended for good. */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Launch {
  readonly program: string;
  readonly parameters: readonly string[];
  /** Where it runs: no workspace folder. */
  readonly cwd: string;
}

/** How long one that was asked to end may take before it is ended. */
const ENDING_MS = 2000;

/**
 * Start it; what it says aside from its messages goes to `onLine`. It is there when this returns, no
 * turn of the loop later: while an editor starts, a turn is as long as other extensions make it.
 */
export async function startProgram(launch: Launch, onLine: (line: string) => void): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(launch.program, launch.parameters, { cwd: launch.cwd, windowsHide: true });
  if (child.pid === undefined) throw (await once(child, "error"))[0];
  createInterface({ input: child.stderr }).on("line", onLine);
  return child;
}

/** End one that was asked to and did not; what has ended is left alone. */
export function endProgram(child: ChildProcessWithoutNullStreams): void {
  const timer = setTimeout(() => child.kill(), ENDING_MS);
  child.once("exit", () => {
    clearTimeout(timer);
  });
  if (child.exitCode !== null || child.signalCode !== null) clearTimeout(timer);
}
