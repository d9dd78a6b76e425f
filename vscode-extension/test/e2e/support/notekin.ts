/** The server beside the editor: what it answers to others, and its processes. */

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { surroundings } from "./codeServer";
import type { Workbench } from "./workbench";

/** Titles in the server's order, asked through the command line over the same index. */
export async function titlesFor(query: string, code: Workbench): Promise<string[]> {
  const parameters = ["-m", "notekin", "search", query, code.vault, "--json", "--limit", "20"];
  const { stdout } = await promisify(execFile)(code.stage.python, parameters, { env: surroundings(code.run) });
  return (JSON.parse(stdout) as { hits: { title: string }[] }).hits.map(({ title }) => title);
}

/** Numbers of the servers that this workbench runs. */
export async function serversOf(code: Workbench): Promise<number[]> {
  const numbers = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const tried = await Promise.all(numbers.map(async (number) => ((await isServerOf(code, number)) ? [Number(number)] : [])));
  return tried.flat();
}

async function isServerOf(code: Workbench, number: string): Promise<boolean> {
  const read = (name: string): Promise<string[]> =>
    readFile(`/proc/${number}/${name}`, "utf8").then((text) => text.split("\0"), () => []);
  const command = await read("cmdline");
  return command.includes("notekin") && command.includes("lsp") && (await read("environ")).includes(`HOME=${code.run}/home`);
}
