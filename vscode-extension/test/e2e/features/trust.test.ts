/** A folder that is not trusted names no program. */

import { access, chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { inCode } from "../support/stage";

/** A workspace whose settings name programs that leave a trace. */
async function prepare(vault: string, run: string): Promise<void> {
  const program = path.join(vault, "evil.sh");
  await writeFile(program, `#!/bin/sh\ntouch '${path.join(run, "trace")}'\n`);
  await chmod(program, 0o755);
  await mkdir(path.join(vault, ".vscode"));
  const settings = { "notekin.server.command": [program], "notekin.python": program, "notekin.model": program };
  await writeFile(path.join(vault, ".vscode/settings.json"), JSON.stringify(settings));
}

inCode("restricted mode", { notes: ["health"], trust: "asked", prepare }, (code) => {
  const restricted = (): ReturnType<ReturnType<typeof code>["status"]> => code().page.locator(".statusbar-item").filter({ hasText: "Restricted Mode" });

  it("searches with the person's own server", async () => {
    await restricted().waitFor();
    await code().idle();
    await code().search("migraine");
    await code().row("Migraine diary").waitFor();
    await code().tab("Migraine").waitFor();
    await code().picture("restricted");
    await code().press("Escape");
  });

  it("runs no program that the folder names, nor once it is trusted", async () => {
    await code().command("Workspaces: Manage Workspace Trust");
    await code().page.locator(".workspace-trust-editor .monaco-button").filter({ hasText: "Trust" }).first().click();
    await restricted().waitFor({ state: "hidden" });
    await code().idle();
    await expect(access(path.join(code().run, "trace"))).rejects.toThrow();
  });
});
