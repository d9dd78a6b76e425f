/** The interpreter that the person chose in the Python extension, asked of one that answers as that does. */

import { describe, expect, it, vi } from "vitest";

const editor = vi.hoisted((): { extension: unknown } => ({ extension: undefined }));
vi.mock("vscode", () => ({ extensions: { getExtension: (id: string) => (id === "ms-python.python" ? editor.extension : undefined) } }));

const { chosenInPythonExtension } = await import("../../src/ui/pythonExtension");

function answering(environments: unknown): unknown {
  return { activate: () => Promise.resolve({ ready: Promise.resolve(), environments }) };
}

describe("the Python extension", () => {
  it("names the executable of the environment that is active", async () => {
    editor.extension = answering({
      getActiveEnvironmentPath: () => ({ id: "/opt/py", path: "/opt/py" }),
      resolveEnvironment: ({ path }: { path: string }) => Promise.resolve({ executable: { uri: { fsPath: `${path}/bin/python` } } }),
    });
    expect(await chosenInPythonExtension()).toBe("/opt/py/bin/python");
  });

  it.each([
    ["is not installed", undefined],
    ["is too old to say", { activate: () => Promise.resolve({ settings: {} }) }],
    ["gives nothing", { activate: () => Promise.resolve(undefined) }],
    ["fails as it starts", { activate: () => Promise.reject(new Error("no")) }],
    ["cannot resolve what it chose", answering({ getActiveEnvironmentPath: () => ({ path: "python" }), resolveEnvironment: () => Promise.resolve(undefined) })],
    ["knows an environment without an interpreter", answering({ getActiveEnvironmentPath: () => ({ path: "conda" }), resolveEnvironment: () => Promise.resolve({ executable: {} }) })],
  ])("names nothing when it %s", async (_, extension) => {
    editor.extension = extension;
    expect(await chosenInPythonExtension()).toBeUndefined();
  });
});
