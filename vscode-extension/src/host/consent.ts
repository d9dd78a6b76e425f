/**
 * What the person answered when asked to set the server up, kept beside where it is installed: the
 * editor's own memory belongs to the window, which may look at several machines.
 */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

export type Answer = "agreed" | "declined";

export class Consent {
  private readonly file: string;

  public constructor(private readonly storage: string) {
    this.file = path.join(storage, "consent.txt");
  }

  /** The answer; undefined when the question was never asked here. */
  public async read(): Promise<Answer | undefined> {
    const text = await readFile(this.file, "utf8").catch(() => "");
    return text === "agreed" || text === "declined" ? text : undefined;
  }

  public async write(answer: Answer): Promise<void> {
    await mkdir(this.storage, { recursive: true });
    await writeFile(this.file, answer);
  }
}
