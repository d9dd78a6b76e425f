/** The wheel and its constraints, as the extension carries them. */

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Cargo } from "../core/bootstrap";

/** Read what lies in a folder; undefined when the extension was built without a server. */
export async function findCargo(folder: string, version: string): Promise<Cargo | undefined> {
  const files = await readdir(folder).catch(() => []);
  const name = files.find((file) => file.endsWith(".whl"));
  if (name === undefined) return undefined;
  const [wheel, constraints] = [path.join(folder, name), path.join(folder, "constraints.txt")];
  const hash = createHash("sha256");
  for (const file of [wheel, constraints]) hash.update(await readFile(file));
  return { version, wheel, constraints, hash: hash.digest("hex").slice(0, 12) };
}
