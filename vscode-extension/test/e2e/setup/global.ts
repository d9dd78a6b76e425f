/** Once for all test files: the tools, the extension as it is shipped, the server as it stands here. */

import { access, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { EXTENSION, KEPT, ROOT, WORK } from "../support/folders";
import { run } from "./run";
import { findTools, type Tools } from "./tools";

/** What every test file is given. */
export interface Stage extends Tools {
  /** A folder with the extension installed, to be copied. */
  readonly extensions: string;
  readonly vsix: string;
  /** The Python that has Notekin's dependencies. */
  readonly python: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined where `whyNot` says why there can be none. */
    stage: Stage | undefined;
    whyNot: string;
  }
}

export default async function setUp(project: TestProject): Promise<void> {
  const stage = await prepare();
  if (typeof stage === "string" && (process.env["CI"] ?? "") !== "") throw new Error(`The browser tests may not be left out in CI: ${stage}.`);
  if (typeof stage === "string") console.warn(`The browser tests are left out: ${stage}.`);
  project.provide("stage", typeof stage === "string" ? undefined : stage);
  project.provide("whyNot", typeof stage === "string" ? stage : "");
}

async function prepare(): Promise<Stage | string> {
  const vsix = (await readdir(EXTENSION)).find((name) => name.endsWith(".vsix"));
  if (vsix === undefined) throw new Error("There is no .vsix to test: run `make vsix` first.");
  const python = process.env["NOTEKIN_PYTHON"] ?? path.join(ROOT, ".venv/bin/python");
  await access(python).catch(() => {
    throw new Error(`There is no ${python}: run \`make test\`, which sets it up.`);
  });
  const tools = await findTools(EXTENSION);
  if (typeof tools === "string") return tools;
  await rm(WORK, { recursive: true, force: true });
  await rm(KEPT, { recursive: true, force: true });
  const extensions = path.join(WORK, "extensions");
  await mkdir(extensions, { recursive: true });
  const folders = ["--user-data-dir", path.join(WORK, "installing"), "--extensions-dir", extensions];
  await run(tools.node, [tools.codeServer, ...folders, "--install-extension", path.join(EXTENSION, vsix)], {
    timeoutMs: 60_000,
    env: { ...process.env, HOME: path.join(WORK, "home"), EXTENSIONS_GALLERY: '{"serviceUrl":""}' },
  });
  return { ...tools, extensions, vsix: path.join(EXTENSION, vsix), python };
}
