/** Tests that run inside VS Code's own extension host. */

import { build } from "esbuild";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import type { Stage } from "../setup/global";
import { openWindow } from "./browser";
import { CodeServer } from "./codeServer";
import { EXTENSION, SAMPLES, WORK } from "./folders";

export interface Outcome {
  readonly title: string;
  /** What went wrong; left out when nothing did. */
  readonly error?: string;
}

const PATIENCE_MS = 180_000;

/** Run what stands in `test/e2e/host` over the notes about health. */
export async function runInHost(stage: Stage): Promise<readonly Outcome[]> {
  const entry = path.join(WORK, "host/index.js");
  await build({
    entryPoints: [path.join(EXTENSION, "test/e2e/host/index.ts")],
    outfile: entry,
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode", "mocha"],
  });
  const run = await mkdtemp(path.join(os.tmpdir(), "notekin-e2e-"));
  await mkdir(path.join(run, "home"));
  await cp(path.join(SAMPLES, "health"), path.join(run, "vault/health"), { recursive: true });
  await writeFile(path.join(run, "vault/Evenings.md"), "# Evenings\n\nInsomnia eased: smartphones banned, bedrooms dark.\n");
  const report = path.join(run, "report.json");
  const machine = { "notekin.server.command": [stage.python, "-m", "notekin", "lsp"] };
  const code = await CodeServer.start(stage, run, { trust: "all", withExtension: false, machine, env: { NOTEKIN_HOST_REPORT: report } });
  try {
    const window = await openWindow(stage.chromium, code.url);
    try {
      await tested(window.page, code.url, path.join(run, "vault"), entry);
    } finally {
      await window.browser.close();
    }
    return JSON.parse(await readFile(report, "utf8")) as Outcome[];
  } finally {
    await code.stop();
    await rm(run, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Open the page that loads the extension in development and its tests; resolves when they are over. */
async function tested(page: Page, url: string, vault: string, entry: string): Promise<void> {
  const over = new Promise<void>((resolve, reject) => {
    void page.exposeFunction("codeAutomationExit", resolve);
    setTimeout(() => { reject(new Error("The tests in the extension host did not come to an end.")); }, PATIENCE_MS).unref();
  });
  await page.exposeFunction("codeAutomationLog", () => undefined);
  // A built Code runs an extension's tests only for its own smoke tests; no flag says so from outside.
  await page.addInitScript(() => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the element below
    const original = Element.prototype.getAttribute;
    Element.prototype.getAttribute = function (name) {
      const value = original.call(this, name);
      if (name !== "data-settings" || this.id !== "vscode-workbench-web-configuration" || value === null) return value;
      const settings = JSON.parse(value) as { developmentOptions?: Record<string, unknown> };
      return JSON.stringify({ ...settings, developmentOptions: { ...settings.developmentOptions, enableSmokeTestDriver: true } });
    };
  });
  const remote = (file: string): string => `vscode-remote://${new URL(url).host}${file}`;
  const payload = [
    ["extensionDevelopmentPath", remote(EXTENSION)],
    ["extensionTestsPath", remote(entry)],
    ["skipWelcome", "true"],
  ];
  await page.goto(`${url}/?folder=${encodeURIComponent(vault)}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
  await over;
}
