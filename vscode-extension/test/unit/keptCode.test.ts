/** Code that is loaded again is the same code, however it was kept. */

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KeptCode } from "../../src/host/keptCode";

const SOURCE = 'const { one } = require("numbers"); exports.sum = (more) => one + more;';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "notekin-test-"));
  file = path.join(folder, "main.js");
  await writeFile(file, SOURCE);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

function load(): KeptCode {
  return new KeptCode(file, path.join(folder, "kept"));
}

function sumOf(code: KeptCode): number {
  const { sum } = code.run((name) => (name === "numbers" ? { one: 1 } : undefined)) as { sum: (more: number) => number };
  return sum(2);
}

async function kept(): Promise<string[]> {
  return (await readdir(path.join(folder, "kept"))).map((name) => path.join(folder, "kept", name));
}

describe("kept code", () => {
  it("is used by the next one, and written once", async () => {
    const first = load();
    expect([first.wasKept, sumOf(first)]).toEqual([false, 3]);
    await first.keep();
    const second = load();
    expect([second.wasKept, sumOf(second)]).toEqual([true, 3]);
    await second.keep();
    expect(await kept()).toHaveLength(1);
  });

  it("is left alone where its bytes are not those that were written", async () => {
    const first = load();
    await first.keep();
    const [place = ""] = await kept();
    const bytes = await readFile(place);
    for (const spoilt of [bytes.subarray(0, 100), Buffer.alloc(0), Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])]) {
      await writeFile(place, spoilt);
      const next = load();
      expect([next.wasKept, sumOf(next)]).toEqual([false, 3]);
    }
  });

  it("of another source of the same length is neither used nor left behind", async () => {
    await load().keep();
    await writeFile(file, SOURCE.replace("+", "*"));
    const changed = load();
    expect([changed.wasKept, sumOf(changed)]).toEqual([false, 2]);
    await changed.keep();
    expect(await kept()).toHaveLength(1);
    expect(load().wasKept).toBe(true);
  });
});
