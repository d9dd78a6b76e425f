/** Running a program to its end while the tests are set up. */

import { spawn } from "node:child_process";

export interface Running {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

/** Run a program; throws with the end of what it said when it fails or takes too long. */
export async function run(program: string, parameters: readonly string[], how: Running): Promise<string> {
  const child = spawn(program, parameters, {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: how.timeoutMs,
    env: how.env ?? process.env,
    ...(how.cwd === undefined ? {} : { cwd: how.cwd }),
  });
  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const [status, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, killedBy) => {
      resolve([code, killedBy]);
    });
  });
  if (status === 0) return output;
  throw new Error(`${program} ${parameters.join(" ")} ended with ${String(status ?? signal)}:\n${output.slice(-2000)}`);
}

/** What reaches a registry may run into a time-out: once more, then it is a failure. */
export async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    console.warn(`Once more, because: ${String(error)}`);
    return work();
  }
}
