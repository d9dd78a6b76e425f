/** The wheel and its constraints, as the extension carries them. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Cargo } from "../core/bootstrap";

/**
 * Read what lies in a folder; undefined when the extension was built without a server. Two files of
 * less than a megabyte, read at once: whoever waits here while the editor starts waits for everybody.
 */
export function findCargo(folder: string, version: string): Cargo | undefined {
  const name = filesOf(folder).find((file) => file.endsWith(".whl"));
  if (name === undefined) return undefined;
  const [wheel, constraints] = [path.join(folder, name), path.join(folder, "constraints.txt")];
  const hash = createHash("sha256");
  for (const file of [wheel, constraints]) hash.update(readFileSync(file));
  return { version, wheel, constraints, hash: hash.digest("hex").slice(0, 12) };
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
