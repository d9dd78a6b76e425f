/** A Python that is none is told about, with buttons that help. */

import { expect, it } from "vitest";
import { inCode } from "../support/stage";

inCode("a bad interpreter", { notes: ["health/Knee.md"], namesServer: false, machine: { "notekin.python": "/nowhere/python3" } }, (code) => {
  it("is named in a message with its buttons", async () => {
    const toast = code().toast("/nowhere/python3 does not start");
    await toast.waitFor();
    const buttons = await toast.locator(".monaco-button").allInnerTexts();
    expect(buttons.map((button) => button.trim())).toEqual(["Pick Interpreter…", "Open Setting", "Show Log"]);
    await code().status("Set up Notekin").waitFor();
    await code().picture("bad-interpreter");
  });

  it("can be corrected by the button that opens the setting", async () => {
    await code().toast("does not start").locator(".monaco-button").filter({ hasText: "Open Setting" }).click();
    await code().page.locator(".settings-editor").getByText("Notekin: Python").first().waitFor();
  });
});
