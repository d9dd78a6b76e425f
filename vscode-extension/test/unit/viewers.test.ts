import { describe, expect, it } from "vitest";
import { viewerOfPages } from "../../src/core/viewers";

describe("a viewer that goes to a page", () => {
  it.each([
    ["0.2.2", "pdf.view"],
    ["0.2.10", "pdf.view"],
    ["0.10.0", "pdf.view"],
    ["1.0.0", "pdf.view"],
    ["0.2.1", undefined],
    ["0.1.11", undefined],
    [undefined, undefined],
  ])("is there with version %s: %s", (version, expected) => {
    expect(viewerOfPages((extension) => (extension === "mathematic.vscode-pdf" ? version : "9.9.9"))).toBe(expected);
  });
});
