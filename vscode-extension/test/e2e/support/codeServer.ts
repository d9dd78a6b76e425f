/** One VS Code as a server, with a home, settings and extensions of its own. */

import { spawn, type ChildProcess } from "node:child_process";
import { createWriteStream } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Stage } from "../setup/global";
import { ROOT } from "./folders";

export interface Settings {
  readonly user?: Record<string, unknown>;
  /** Of scope `machine`: they count only where the extension runs. */
  readonly machine?: Record<string, unknown>;
}

export interface Opening extends Settings {
  readonly trust: "all" | "asked";
  /** Whether the extension is installed; without it, one in development is loaded by the page. */
  readonly withExtension: boolean;
  /** Another extension, by the name of its folder beside the vault. */
  readonly alongside?: string;
  /** Further variables of the environment. */
  readonly env?: Record<string, string>;
}

const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Light Modern",
  "workbench.tips.enabled": false,
  "workbench.reduceMotion": "on",
  "workbench.enableExperiments": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.layoutControl.enabled": false,
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "editor.minimap.enabled": false,
  "git.enabled": false,
  "files.hotExit": "off",
};

export class CodeServer {
  private constructor(
    public readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Start one in the folder `run`; tried a second time when it does not come up. */
  public static async start(stage: Stage, run: string, opening: Opening): Promise<CodeServer> {
    const data = path.join(run, "data");
    const write = async (file: string, value: unknown): Promise<void> => {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify(value, undefined, 2));
    };
    await write(path.join(data, "User/settings.json"), { ...QUIET, ...opening.user });
    await write(path.join(data, "Machine/settings.json"), opening.machine ?? {});
    const extensions = path.join(run, "extensions");
    await mkdir(extensions, { recursive: true });
    if (opening.withExtension) await cp(stage.extensions, extensions, { recursive: true });
    if (opening.alongside !== undefined) await addExtension(extensions, path.join(run, opening.alongside));
    const parameters = [
      stage.codeServer,
      ...["--user-data-dir", data, "--extensions-dir", extensions, "--config", path.join(run, "config.yaml")],
      ...["--bind-addr", "127.0.0.1:0", "--auth", "none", "--reconnection-grace-time", "1"],
      ...["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"],
      ...(opening.trust === "all" ? ["--disable-workspace-trust"] : []),
    ];
    const start = (): Promise<CodeServer> => CodeServer.startOnce(stage.node, parameters, run, { ...surroundings(run), ...opening.env });
    return start().catch(start);
  }

  private static async startOnce(node: string, parameters: readonly string[], run: string, env: NodeJS.ProcessEnv): Promise<CodeServer> {
    // A group of its own, so that all of it can be ended by the one number.
    const child = spawn(node, parameters, { detached: true, stdio: ["ignore", "pipe", "pipe"], env });
    const log = createWriteStream(path.join(run, "code-server.log"), { flags: "a" });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let said = "";
        child.stdout.on("data", (chunk: Buffer) => {
          said += chunk.toString();
          const address = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
          if (address !== undefined) resolve(address);
        });
        child.on("exit", () => { reject(new Error(`code-server ended: ${said}`)); });
        setTimeout(() => { reject(new Error(`code-server did not come up: ${said}`)); }, 30_000).unref();
      });
      return new CodeServer(url, child);
    } catch (error) {
      await end(child);
      throw error;
    }
  }

  /** End it with everything that it started. */
  public async stop(): Promise<void> {
    await end(this.child);
  }
}

/** Enter the extension in a folder into the list of those that are installed. */
async function addExtension(extensions: string, folder: string): Promise<void> {
  const list = path.join(extensions, "extensions.json");
  const installed = JSON.parse(await readFile(list, "utf8")) as unknown[];
  const { publisher, name, version } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as Record<string, string>;
  const place = path.join(extensions, path.basename(folder));
  await cp(folder, place, { recursive: true });
  const location = { $mid: 1, path: place, scheme: "file" };
  await writeFile(list, JSON.stringify([...installed, { identifier: { id: `${publisher}.${name}` }, version, location, relativeLocation: path.basename(folder) }]));
}

/** A home of its own, where pip is set up as in the person's; the Notekin of this checkout; no marketplace. */
export function surroundings(run: string): NodeJS.ProcessEnv {
  const home = os.homedir();
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("XDG_")));
  return {
    PIP_CONFIG_FILE: path.join(home, ".config/pip/pip.conf"),
    PIP_CACHE_DIR: path.join(home, ".cache/pip"),
    ...rest,
    HOME: path.join(run, "home"),
    PYTHONPATH: [path.join(ROOT, "server"), path.join(ROOT, "protocol")].join(":"),
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
  };
}

const ENDING_MS = 5000;

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => { resolve(); }));
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-(child.pid ?? 0), name);
    } catch {
      // The whole group is gone already.
    }
  };
  signal("SIGTERM");
  const timer = setTimeout(() => { signal("SIGKILL"); }, ENDING_MS);
  await gone;
  clearTimeout(timer);
  signal("SIGKILL");
}
