/** The tests inside the extension host, each told as one of ours. */

import { describe, expect, inject, it } from "vitest";
import { runInHost } from "../support/host";

const stage = inject("stage");
const outcomes = stage === undefined ? [] : await runInHost(stage);

describe.skipIf(stage === undefined)("in the extension host", () => {
  it("runs them", () => {
    expect(outcomes.length).toBeGreaterThan(0);
  });

  for (const { title, error } of outcomes) {
    it(title, () => {
      expect(error).toBeUndefined();
    });
  }
});
