/** One workbench for the tests of one file. */

import { afterAll, beforeAll, beforeEach, describe, inject } from "vitest";
import { Workbench, type Wish } from "./workbench";

/** A suite with a workbench of its own; left out, with the reason, where there can be none. */
export function inCode(name: string, wish: Wish, tests: (code: () => Workbench) => void): void {
  const whyNot = inject("whyNot");
  describe.skipIf(whyNot !== "")(whyNot === "" ? name : `${name} (left out: ${whyNot})`, () => {
    let code: Workbench | undefined;
    beforeAll(async () => {
      code = await Workbench.open(wish);
    });
    beforeEach(({ onTestFailed, task }) => {
      onTestFailed(async () => {
        await code?.keep(`${name} ${task.name}`);
        // What it left open is not the next one's fault.
        await code?.press("Escape", "Escape");
      });
    });
    afterAll(async () => {
      await code?.close();
    });
    tests(() => {
      if (code === undefined) throw new Error("There is no workbench.");
      return code;
    });
  });
}
