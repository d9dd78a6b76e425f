/** The private environment on disk: one folder a version, finished when its stamp stands in it. */

import { access, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Cargo } from "../core/bootstrap";
import { interpreterIn, type Platform } from "../core/paths";

const PREFIX = "server-";
const STAMP = "notekin-ready.json";

export class Environment {
  public readonly folder: string;
  public readonly interpreter: string;

  public constructor(
    private readonly storage: string,
    private readonly cargo: Cargo,
    platform: Platform,
  ) {
    this.folder = path.join(storage, `${PREFIX}${cargo.version}-${cargo.hash}`);
    this.interpreter = interpreterIn(this.folder, platform);
  }

  /** Whether it was finished once and its interpreter, wherever that links to, is still there. */
  public async isReady(): Promise<boolean> {
    try {
      const stamp: unknown = JSON.parse(await readFile(path.join(this.folder, STAMP), "utf8"));
      await access(this.interpreter);
      return (stamp as { hash?: unknown } | null)?.hash === this.cargo.hash;
    } catch {
      return false;
    }
  }

  /** Make the folder it will lie in. */
  public async prepare(): Promise<void> {
    await mkdir(this.storage, { recursive: true });
  }

  public async markReady(): Promise<void> {
    await writeFile(path.join(this.folder, STAMP), JSON.stringify({ version: this.cargo.version, hash: this.cargo.hash }));
  }

  public async discard(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Remove those of other versions. One that another window still runs stays, where the system says so. */
  public async tidy(): Promise<void> {
    const others = (await readdir(this.storage)).filter((name) => name.startsWith(PREFIX) && name !== path.basename(this.folder));
    for (const name of others) {
      await rm(path.join(this.storage, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
