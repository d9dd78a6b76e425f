/** Programs, started with a list of words: no shell reads them, and none runs in a workspace. */

import { spawn } from "node:child_process";
import type { Ending } from "../core/bootstrap";

export interface Options {
  /** Where it runs; never a workspace folder, whose files an interpreter might import. */
  readonly cwd: string;
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const N_KEPT = 20_000; // characters of output

/** Run a program to its end. One that cannot be started ends with status null and says why. */
export function run(program: string, parameters: readonly string[], options: Options): Promise<Ending> {
  return new Promise((resolve) => {
    let output = "";
    let cancelled = false;
    const child = spawn(program, parameters, { cwd: options.cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const stop = (): void => {
      child.kill();
    };
    const timer = options.timeoutMs === undefined ? undefined : setTimeout(stop, options.timeoutMs);
    const abort = (): void => {
      cancelled = true;
      stop();
    };
    options.signal?.addEventListener("abort", abort);
    if (options.signal?.aborted === true) abort();
    for (const stream of [child.stdout, child.stderr]) {
      const lines = new Lines(options.onLine ?? (() => undefined));
      stream.setEncoding("utf8");
      stream.on("data", (part: string) => {
        output = (output + part).slice(-N_KEPT);
        lines.add(part);
      });
    }
    const end = (status: number | null, told = output): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
      resolve({ status, output: told, cancelled });
    };
    child.on("error", (error) => {
      end(null, `${output}\n${error.message}`);
    });
    child.on("close", (status) => {
      end(status);
    });
  });
}

/** Cuts a stream into lines. */
class Lines {
  private rest = "";

  public constructor(private readonly onLine: (line: string) => void) {}

  public add(part: string): void {
    const lines = (this.rest + part).split(/\r?\n/);
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.onLine(line);
  }
}
