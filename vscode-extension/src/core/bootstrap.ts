/** Making the private environment that the server runs in, and what can go wrong with it. */

import type { Choice, NoPython } from "./python";
import { messageOf } from "./text";

/** What the extension brings along. */
export interface Cargo {
  readonly version: string;
  readonly wheel: string;
  readonly constraints: string;
  /** Hash of both, so that a rebuilt wheel of the same version is installed again. */
  readonly hash: string;
}

export type Trouble =
  | NoPython
  | BadCommand
  | { readonly kind: "declined" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "noNetwork" }
  | { readonly kind: "diskFull" }
  | { readonly kind: "noWheel"; readonly what: string }
  | { readonly kind: "failed"; readonly step: Step; readonly lastLine: string };

/** Why the program that the person named instead cannot be used. */
export type BadCommand =
  | { readonly kind: "badCommand"; readonly program: string }
  | { readonly kind: "otherProtocol"; readonly program: string };

export type Step = "environment" | "install" | "check";

export type Outcome = { readonly kind: "ready"; readonly interpreter: string } | Trouble;

/** How a program ended. */
export interface Ending {
  readonly status: number | null;
  /** The last part of what it said on either stream. */
  readonly output: string;
  readonly cancelled: boolean;
}

/** What the work needs of the machine. */
export interface Site {
  /** The environment's folder for this cargo. */
  readonly folder: string;
  readonly interpreter: string;
  /** Whether the environment was finished once and its interpreter is still there. */
  isReady(): boolean;
  run(program: string, parameters: readonly string[], onLine: (line: string) => void): Promise<Ending>;
  begins(step: Step): void;
  progress(percent: number, line: string): void;
  markReady(python: string): Promise<void>;
  /** Remove the half-made environment. */
  discard(): Promise<void>;
}

/** Make the environment, unless another window was quicker; one that fails is not left behind. */
export async function ensureEnvironment(site: Site, cargo: Cargo, choice: Choice): Promise<Outcome> {
  if (site.isReady()) return ready(site);
  const trouble = await build(site, cargo, choice);
  if (trouble !== undefined) {
    await site.discard();
    return trouble;
  }
  try {
    await site.markReady(choice.candidate.path);
  } catch (error) {
    await site.discard();
    throw error;
  }
  return ready(site);
}

function ready(site: Site): Outcome {
  return { kind: "ready", interpreter: site.interpreter };
}

async function build(site: Site, cargo: Cargo, choice: Choice): Promise<Trouble | undefined> {
  const python = { path: choice.candidate.path, version: choice.probe.version.join(".") };
  const steps: [Step, string, readonly string[]][] = [
    ["environment", choice.candidate.path, ["-I", "-m", "venv", "--clear", site.folder]],
    ["install", site.interpreter, installation(cargo)],
    ["check", site.interpreter, ["-I", "-c", "import notekin.compose, notekin.lsp.server, onnxruntime, apsw"]],
  ];
  const meter = new Meter(site);
  for (const [step, program, parameters] of steps) {
    site.begins(step);
    const ending = await site.run(program, parameters, (line) => {
      meter.saw(line);
    });
    if (ending.cancelled) return { kind: "cancelled" };
    if (ending.status !== 0) return troubleOf(step, ending.output, python);
  }
  return undefined;
}

/** pip's parameters: only wheels, only the pinned versions, nothing asked, nothing of the workspace. */
function installation(cargo: Cargo): string[] {
  const quiet = ["--disable-pip-version-check", "--no-input", "--no-color", "--progress-bar", "off"];
  return ["-I", "-m", "pip", "install", ...quiet, "--only-binary", ":all:", "--constraint", cargo.constraints, cargo.wheel];
}

const DISK_FULL = /No space left on device|Errno 28|not enough space on the disk|WinError 112|Disk quota exceeded/i;
const NO_NETWORK =
  /NewConnectionError|ConnectTimeout|ReadTimeout|name resolution|getaddrinfo failed|Network is unreachable|ProxyError|SSLError|Connection (?:refused|reset|aborted)|Max retries exceeded/i;
const NO_ENSUREPIP = /ensurepip is not\s+available|No module named '?ensurepip/i;
const NO_WHEEL = /No matching distribution found for (\S+)/i;

/** Name what went wrong by what a program said. */
export function troubleOf(step: Step, output: string, python: { path: string; version: string }): Trouble {
  if (DISK_FULL.test(output)) return { kind: "diskFull" };
  if (NO_ENSUREPIP.test(output)) return { kind: "noEnsurepip", ...python };
  if (NO_NETWORK.test(output)) return { kind: "noNetwork" };
  const missing = NO_WHEEL.exec(output)?.[1];
  if (missing !== undefined) return { kind: "noWheel", what: missing };
  const lines = output.split("\n").map((line) => line.trim());
  return { kind: "failed", step, lastLine: lines.findLast((line) => line !== "") ?? "" };
}

/** Name what went wrong when a file of the setting up itself could not be written. */
export function troubleOfError(error: unknown): Trouble {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return { kind: "diskFull" };
  return { kind: "failed", step: "environment", lastLine: messageOf(error) };
}

const N_PACKAGES = 42; // About as many as pip collects; only the pace of the bar depends on it.

/** Turns pip's lines into percent: collecting and loading 0–85, putting in place the rest. */
class Meter {
  private nCollected = 0;
  private percent = 0;

  public constructor(private readonly site: Site) {}

  public saw(line: string): void {
    if (/^\s*(Collecting|Processing) /.test(line)) this.nCollected += 1;
    const share = Math.min(85, Math.round((85 * this.nCollected) / N_PACKAGES));
    this.percent = Math.max(this.percent, line.startsWith("Installing collected") ? 90 : share);
    if (/^\s*(Collecting|Downloading|Installing collected)/.test(line)) this.site.progress(this.percent, line.trim());
  }
}
