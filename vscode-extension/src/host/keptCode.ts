/** Code that is compiled once: what V8 made of it is kept for the next start. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Script } from "node:vm";

const PREFIX = "code-";
const N_DIGEST = 32;

/**
 * A CommonJS file. Compiling the language client takes the better part of the time until a server is
 * asked; with what was kept it is read instead. V8 itself refuses what another version of it wrote, but
 * trusts the bytes: hence the digest, and a name that tells which source they were made of.
 */
export class KeptCode {
  public readonly wasKept: boolean;
  private readonly script: Script;
  private readonly name: string;

  /** Reads and compiles `file`; `folder` holds what is kept and may be missing. */
  public constructor(
    file: string,
    private readonly folder: string,
  ) {
    const source = readFileSync(file);
    this.name = PREFIX + digest(process.versions.v8, process.arch, source).toString("hex").slice(0, 16);
    const cachedData = this.read();
    this.script = new Script(`(function (exports, require, module) {${source.toString("utf8")}\n})`, {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    this.wasKept = cachedData !== undefined && this.script.cachedDataRejected !== true;
  }

  /** Evaluate it and give its exports. */
  public run(requires: (name: string) => unknown): unknown {
    const module = { exports: {} };
    const evaluate = this.script.runInThisContext() as (exports: object, requires: (name: string) => unknown, module: object) => void;
    evaluate(module.exports, requires, module);
    return module.exports;
  }

  /** Keep what is compiled by now, functions that ran included, and nothing older. */
  public async keep(): Promise<void> {
    if (this.wasKept) return;
    const data = this.script.createCachedData();
    await mkdir(this.folder, { recursive: true });
    const older = (await readdir(this.folder)).filter((name) => name.startsWith(PREFIX));
    await Promise.all(older.map((name) => rm(path.join(this.folder, name), { force: true })));
    const written = path.join(this.folder, `${PREFIX}${process.pid}.part`);
    await writeFile(written, Buffer.concat([digest(data), data]));
    await rename(written, path.join(this.folder, this.name));
  }

  private read(): Buffer | undefined {
    try {
      const bytes = readFileSync(path.join(this.folder, this.name));
      const data = bytes.subarray(N_DIGEST);
      return digest(data).equals(bytes.subarray(0, N_DIGEST)) ? data : undefined;
    } catch {
      return undefined;
    }
  }
}

function digest(...parts: readonly (Buffer | string)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
