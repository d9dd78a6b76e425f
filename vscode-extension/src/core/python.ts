/** Which Python to run: the person's word first, then what is there. */

import { isInside, pathsOf, type Platform } from "./paths";

export const OLDEST = [3, 11] as const;
export const NEWEST = [3, 14] as const;

/** Who named an interpreter; `setting` is an order, the others are suggestions. */
export type Origin = "setting" | "extension" | "path";

export interface Candidate {
  readonly path: string;
  readonly origin: Origin;
}

/** What an interpreter says of itself. */
export interface Probe {
  readonly version: readonly [number, number];
  /** Whether it can make virtual environments with pip in them. */
  readonly hasEnsurepip: boolean;
  /** What it is built for and runs as, in the system's own word: `arm64`, `x86_64`, `AMD64`. */
  readonly machine: string;
}

export interface Choice {
  readonly kind: "found";
  readonly candidate: Candidate;
  readonly probe: Probe;
}

/** Why no interpreter can be used; the most telling reason of all that were tried. */
export type NoPython =
  | { readonly kind: "noPython" }
  | { readonly kind: "doesNotStart"; readonly path: string }
  | { readonly kind: "insideWorkspace"; readonly path: string }
  | { readonly kind: "wrongVersion"; readonly path: string; readonly version: string }
  | { readonly kind: "noEnsurepip"; readonly path: string; readonly version: string }
  | { readonly kind: "intelMac"; readonly path: string };

/** The program each interpreter is asked to run; it prints one line of JSON. */
export const PROBE_PROGRAM =
  "import sys, json, platform, importlib.util as u; " +
  "print(json.dumps([list(sys.version_info[:2]), bool(u.find_spec('ensurepip') and u.find_spec('venv')), platform.machine()]))";

/** Read what the probe printed; undefined when it is something else. */
export function readProbe(output: string): Probe | undefined {
  try {
    const told: unknown = JSON.parse(output.trim().split("\n").at(-1) ?? "");
    if (!Array.isArray(told) || !Array.isArray(told[0])) return undefined;
    const [[major, minor], hasEnsurepip, machine] = told as [unknown[], unknown, unknown];
    if (typeof major !== "number" || typeof minor !== "number") return undefined;
    return { version: [major, minor], hasEnsurepip: hasEnsurepip === true, machine: typeof machine === "string" ? machine : "" };
  } catch {
    return undefined;
  }
}

/** Names to look for in the folders of PATH, the likeliest first. */
export function names(platform: Platform): readonly string[] {
  const versions = ["3.13", "3.12", "3.14", "3.11"].map((version) => `python${version}`);
  return platform === "win32" ? ["python.exe", "python3.exe"] : ["python3", ...versions, "python"];
}

/** The files that PATH may mean, in order. A relative folder is the workspace's word: left out. */
export function onPath(variable: string, platform: Platform): string[] {
  const paths = pathsOf(platform);
  const folders = variable
    .split(platform === "win32" ? ";" : ":")
    .map((folder) => folder.replace(/^"(.*)"$/, "$1"))
    .filter((folder) => folder !== "" && paths.isAbsolute(folder))
    // The shop's stand-ins open a window of the Microsoft Store instead of a Python.
    .filter((folder) => !(platform === "win32" && /\\WindowsApps\\?$/i.test(folder)));
  return names(platform).flatMap((name) => [...new Set(folders)].map((folder) => paths.join(folder, name)));
}

export function isSupported([major, minor]: readonly [number, number]): boolean {
  return major === OLDEST[0] && minor >= OLDEST[1] && minor <= NEWEST[1];
}

export interface Surroundings {
  readonly platform: Platform;
  readonly workspaceFolders: readonly string[];
  /** Where a file really lies, links followed; undefined when there is none. */
  readonly realPath: (path: string) => Promise<string | undefined>;
  /** Ask an interpreter what it is; undefined when it does not start. */
  readonly probe: (path: string) => Promise<Probe | undefined>;
}

/**
 * Take the first interpreter that will do. One that the person named is taken or refused, never
 * passed over for another; one that lies in a workspace folder is never even started.
 */
export async function choose(candidates: readonly Candidate[], around: Surroundings): Promise<Choice | NoPython> {
  const problems: NoPython[] = [];
  for (const candidate of candidates) {
    const tried = await consider(candidate, around);
    if (tried.kind === "found") return tried;
    if (candidate.origin === "setting") return tried;
    problems.push(tried);
  }
  const tellingness = ["noEnsurepip", "intelMac", "wrongVersion", "insideWorkspace"];
  const told = tellingness.map((kind) => problems.find((problem) => problem.kind === kind));
  return told.find((problem) => problem !== undefined) ?? { kind: "noPython" };
}

async function consider(candidate: Candidate, around: Surroundings): Promise<Choice | NoPython> {
  const { path } = candidate;
  const inWorkspace = (file: string): boolean =>
    around.workspaceFolders.some((folder) => isInside(file, folder, around.platform));
  const real = await around.realPath(path);
  if (real === undefined) return { kind: "doesNotStart", path };
  if (inWorkspace(path) || inWorkspace(real)) return { kind: "insideWorkspace", path };
  const probe = await around.probe(path);
  if (probe === undefined) return { kind: "doesNotStart", path };
  const version = probe.version.join(".");
  if (!isSupported(probe.version)) return { kind: "wrongVersion", path, version };
  // onnxruntime is not built for these any more; better told before anything is downloaded.
  if (around.platform === "darwin" && probe.machine === "x86_64") return { kind: "intelMac", path };
  if (!probe.hasEnsurepip) return { kind: "noEnsurepip", path, version };
  return { kind: "found", candidate, probe };
}
