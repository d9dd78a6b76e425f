/** The private environment on disk: one folder a version, finished when its stamp stands in it. */

import { accessSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Cargo } from "../core/bootstrap";
import { interpreterIn, type Platform } from "../core/paths";

const PREFIX = "server-";
const STAMP = "notekin-ready.json";
const UNUSED_MS = 24 * 60 * 60 * 1000;

interface Stamp {
  readonly hash: string;
  /** The Python it was made with, as it was named. */
  readonly python: string;
}

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

  /**
   * Whether it was finished once and its interpreter, wherever that links to, is still there. Where
   * the person names a Python, it must have been made with that one.
   */
  public isReady(named: string): boolean {
    try {
      const stamp = JSON.parse(readFileSync(this.stamp, "utf8")) as Partial<Stamp> | null;
      accessSync(this.interpreter);
      return stamp?.hash === this.cargo.hash && (named === "" || stamp.python === named);
    } catch {
      return false;
    }
  }

  /** Make the folder it will lie in. */
  public async prepare(): Promise<void> {
    await mkdir(this.storage, { recursive: true });
  }

  public async markReady(python: string): Promise<void> {
    const stamp: Stamp = { hash: this.cargo.hash, python };
    await writeFile(this.stamp, JSON.stringify(stamp));
  }

  public async discard(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Note that it is in use, and remove those of other versions that were not for a day. */
  public async use(now: number): Promise<void> {
    await utimes(this.stamp, now / 1000, now / 1000);
    const others = (await readdir(this.storage)).filter((name) => name.startsWith(PREFIX) && name !== path.basename(this.folder));
    for (const name of others) {
      const folder = path.join(this.storage, name);
      const used = (await stat(path.join(folder, STAMP)).catch(() => undefined))?.mtimeMs;
      // One without a stamp is being made by another window, or was left half-made.
      const seen = used ?? (await stat(folder)).mtimeMs;
      if (now - seen > UNUSED_MS) await rm(folder, { recursive: true, force: true });
    }
  }

  private get stamp(): string {
    return path.join(this.folder, STAMP);
  }
}
