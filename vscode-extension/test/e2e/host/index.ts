/** Entered by the extension host: runs mocha there and writes how each test ended. */

import { writeFileSync } from "node:fs";
import Mocha from "mocha";
import type { Outcome } from "../support/host";
import { describeActivation } from "./activation";
import { describeCommands } from "./commands";
import { describeHover } from "./hover";

const PATIENCE_MS = 60_000;

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: "bdd", timeout: PATIENCE_MS });
  mocha.suite.emit("pre-require", globalThis as unknown as Mocha.MochaGlobals, "", mocha);
  describeActivation();
  describeHover();
  describeCommands();
  const outcomes: Outcome[] = [];
  await new Promise<void>((resolve) => {
    mocha
      .run(() => { resolve(); })
      .on("pass", (test) => outcomes.push({ title: test.fullTitle() }))
      .on("fail", (test, error: Error) => outcomes.push({ title: test.fullTitle(), error: error.stack ?? error.message }));
  });
  writeFileSync(process.env["NOTEKIN_HOST_REPORT"] ?? "", JSON.stringify(outcomes));
}
