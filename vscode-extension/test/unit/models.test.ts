import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { plainEnglish as t } from "../../src/core/l10n";
import { DEFAULT_MODEL, DOWNLOADED, modelInUse, modelRows, settingFor } from "../../src/core/models";
import { aStatus } from "./samples";

interface Manifest {
  contributes: { configuration: { properties: Record<string, { default?: unknown }> }[] };
}

const REPOSITORY = path.resolve(import.meta.dirname, "../../..");
const BGE = "BAAI/bge-small-en-v1.5";
const OTHER = "$(gear) Another Model or a Folder…";

describe("the list of models", () => {
  it("is the table of the how-to", () => {
    const page = readFileSync(path.join(REPOSITORY, "docs/how-to/change-the-model.md"), "utf8");
    const table = [...page.matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \|$/gm)].map(([, name, languages, size]) => ({ name, languages, size }));
    expect(DOWNLOADED.map(({ name, languages, size }) => ({ name, languages: languages(t), size }))).toEqual(table);
  });

  it("begins with the default of the setting", () => {
    const manifest = JSON.parse(readFileSync(path.join(REPOSITORY, "vscode-extension/package.json"), "utf8")) as Manifest;
    const inManifest = manifest.contributes.configuration.map(({ properties }) => properties["notekin.model"]?.default).find((each) => each !== undefined);
    expect(inManifest).toBe(DEFAULT_MODEL);
    expect(modelRows(DEFAULT_MODEL, t)[0]?.model).toBe(DEFAULT_MODEL);
  });
});

describe("rows of models", () => {
  const inUse = (model: string): string[] => modelRows(model, t).filter((row) => row.isInUse).map(({ label }) => label);

  it("say what each knows and what it takes, and end with the way to any other", () => {
    const rows = modelRows(DEFAULT_MODEL, t);
    expect(rows).toHaveLength(DOWNLOADED.length + 2);
    expect(rows[0]).toMatchObject({ label: `$(check) ${DEFAULT_MODEL}`, description: "English  ·  in use", detail: "Part of the installation; nothing is downloaded." });
    expect(rows[4]).toMatchObject({ description: "German and English", detail: "Downloaded once from the network, 640 MB." });
    expect(rows.at(-1)).toMatchObject({ model: undefined, label: OTHER });
  });

  it.each([
    [DEFAULT_MODEL, `$(check) ${DEFAULT_MODEL}`],
    [BGE, `$(check) ${BGE}`],
    [BGE.toLowerCase(), `$(check) ${BGE}`],
  ])("mark the one in use: %s", (model, label) => {
    expect(inUse(model)).toEqual([label]);
    expect(modelRows(model, t)).toHaveLength(DOWNLOADED.length + 2);
  });

  it.each([
    ["/home/me/model", "A folder of your own; nothing is downloaded."],
    ["~/model", "A folder of your own; nothing is downloaded."],
    ["C:\\model", "A folder of your own; nothing is downloaded."],
    ["BAAI/bge-large-en-v1.5", "Named in your settings."],
    [DEFAULT_MODEL.toUpperCase(), "Named in your settings."],
  ])("hold the one in use where it is not in the list: %s", (model, detail) => {
    expect(inUse(model)).toEqual([`$(check) ${model}`]);
    expect(modelRows(model, t).at(-2)).toMatchObject({ model, detail, description: "in use" });
    expect(modelRows(model, t).at(-1)?.label).toBe(OTHER);
  });

  it("draw no icon that a name asks for", () => {
    expect(inUse("/home/$(flame)")).toEqual(["$(check) /home/\\$(flame)"]);
  });
});

describe("the model in use", () => {
  const inToml = aStatus({ model: { name: BGE, dim: 384, fingerprint: "f" } });

  it("is that of the setting, else that of config.toml, else the default", () => {
    expect(modelInUse("/home/me/model", [inToml])).toBe("/home/me/model");
    expect(modelInUse(undefined, [inToml])).toBe(BGE);
    expect(modelInUse(undefined, [aStatus({ model: { name: "", dim: 0, fingerprint: "" } })])).toBe(DEFAULT_MODEL);
    expect(modelInUse(undefined, [])).toBe(DEFAULT_MODEL);
  });

  it("is set by its name, and the default by removing what is set", () => {
    expect(settingFor(BGE, undefined)).toBe(BGE);
    expect(settingFor(BGE, "/home/me/model")).toBe(BGE);
    expect(settingFor(DEFAULT_MODEL, BGE)).toBeUndefined();
    // Nothing to remove, and another one in use: config.toml names it.
    expect(settingFor(DEFAULT_MODEL, undefined)).toBe(DEFAULT_MODEL);
  });
});
