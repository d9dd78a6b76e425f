/** What package.json promises is kept, and every word for the person can be translated. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { forServer, serverCommand, serverSettingNames } from "../../src/core/settings";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const json = (file: string): unknown => JSON.parse(read(file));
const sources = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => read(path.join("src", file)));

interface Manifest {
  contributes: {
    commands: { command: string }[];
    keybindings: { command: string }[];
    configuration: { id: string; properties: Record<string, { scope: string }> }[];
    menus: Record<string, { command: string }[]>;
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}
const manifest = json("package.json") as Manifest;

describe("package.json", () => {
  const commands = manifest.contributes.commands.map(({ command }) => command);

  it("names only commands that are registered", () => {
    const registered = sources.join("\n");
    expect(commands.filter((command) => !registered.includes(`"${command}"`))).toEqual([]);
  });

  it("keeps the names of the server's commands free", () => {
    expect(commands.filter((command) => !command.startsWith("notekin.ui."))).toEqual([]);
  });

  it("binds and places only commands that it declares", () => {
    const used = [manifest.contributes.keybindings, ...Object.values(manifest.contributes.menus)].flat();
    expect(used.map(({ command }) => command).filter((command) => !commands.includes(command))).toEqual([]);
  });

  it("takes from a workspace nothing that names a program or a model", () => {
    const scopes = new Map(manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties)).map(([name, { scope }]) => [name, scope]));
    for (const name of ["notekin.python", "notekin.server.command", "notekin.model"]) {
      expect(scopes.get(name)).toBe("machine");
      expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toContain(name);
    }
  });

  it("has a text for each name between percent signs, and no other", () => {
    const asked = [...read("package.json").matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]).sort();
    expect(Object.keys(json("package.nls.json") as object).sort()).toEqual([...new Set(asked)]);
  });
});

describe("sentences", () => {
  it("stand in the bundle that translators begin with, and no other", () => {
    const inCode = sources.flatMap((source) => [...source.matchAll(/\bt\(\s*"((?:[^"\\]|\\.)*)"/g)]).map((match) => JSON.parse(`"${match[1] ?? ""}"`) as string);
    const bundle = json("l10n/bundle.l10n.json") as Record<string, string>;
    expect(Object.keys(bundle).sort()).toEqual([...new Set(inCode)].sort());
    expect(Object.entries(bundle).filter(([key, value]) => key !== value)).toEqual([]);
  });
});

describe("the server's settings", () => {
  const names = serverSettingNames(manifest);

  it("are read from what was generated", () => {
    expect(names).toContain("indexing.threads");
    expect(names).not.toContain("python");
  });

  it("are told only where somebody set them, as a tree, without the picker of symbols", () => {
    const section = { globalValue: { indexing: { threads: 2 }, ui: { limit: 5 } }, workspaceValue: { exclude: ["a"], indexing: {} } };
    const told = forServer(names, (name) => `value of ${name}`, section);
    expect(told).toEqual({ exclude: "value of exclude", indexing: { threads: "value of indexing.threads" }, workspaceSymbols: false });
    expect(forServer(names, () => "default", undefined)).toEqual({ workspaceSymbols: false });
  });

  it.each([
    [[], undefined],
    ["", undefined],
    [7, undefined],
    ["/opt/my notekin", { program: "/opt/my notekin", parameters: ["lsp"] }],
    [["/opt/notekin"], { program: "/opt/notekin", parameters: ["lsp"] }],
    [["python", "-m", "notekin", "lsp"], { program: "python", parameters: ["-m", "notekin", "lsp"] }],
  ])("name a program: %o", (value, expected) => {
    expect(serverCommand(value)).toEqual(expected);
  });
});
