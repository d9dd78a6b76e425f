/** One window sets the server up; the others wait for it. */

import { open, readFile, rm, stat, utimes, type FileHandle } from "node:fs/promises";

export type Wait = (ms: number) => Promise<void>;

const PAUSE_MS = 500;
const HEARTBEAT_MS = 5000;
/** A file that nobody touched for so long is nobody's, whoever has the number in it by now. */
const ABANDONED_MS = 60_000;

/**
 * Do work while holding a file that names this process. A file of a process that is gone is taken
 * over. Waiting ends with `signal`; the work is then not done and undefined is returned.
 */
export async function holding<T>(file: string, wait: Wait, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  let handle = await take(file);
  while (handle === undefined) {
    if (signal.aborted) return undefined;
    await wait(PAUSE_MS);
    handle = await take(file);
  }
  const heartbeat = setInterval(() => void touch(file), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await handle.close();
    await rm(file, { force: true });
  }
}

async function touch(file: string): Promise<void> {
  const now = Date.now() / 1000;
  await utimes(file, now, now).catch(() => undefined);
}

async function take(file: string): Promise<FileHandle | undefined> {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(String(process.pid));
    return handle;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (await isAbandoned(file)) await rm(file, { force: true });
    return undefined;
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  const touched = (await stat(file).catch(() => undefined))?.mtimeMs;
  if (touched === undefined) return false; // Gone meanwhile.
  if (Date.now() - touched > ABANDONED_MS) return true;
  const pid = Number(await readFile(file, "utf8").catch(() => ""));
  if (!Number.isInteger(pid) || pid <= 0) return false; // Just being written.
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
