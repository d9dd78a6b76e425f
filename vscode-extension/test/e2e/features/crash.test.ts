/** A server that dies comes back, and is left alone when it keeps dying. */

import { beforeAll, expect, it, vi } from "vitest";
import { serversOf } from "../support/notekin";
import { inCode } from "../support/stage";

inCode("a server that dies", { notes: ["health/Knee.md"] }, (code) => {
  let before: number | undefined;

  async function kill(): Promise<void> {
    const running = await vi.waitFor(async () => {
      const servers = (await serversOf(code())).filter((number) => number !== before);
      expect(servers).toHaveLength(1);
      return servers;
    }, 20_000);
    before = running[0];
    process.kill(before ?? 0, "SIGKILL");
  }

  beforeAll(async () => {
    await code().idle();
  });

  it("answers a search that was begun without it once it is back", async () => {
    await kill();
    await code().search("stairs");
    await code().row("Knee").waitFor();
    await code().leaveSearch();
  });

  it("is started again, and search works", async () => {
    await vi.waitFor(async () => { expect((await serversOf(code())).filter((number) => number !== before)).toHaveLength(1); }, 20_000);
    await code().idle();
    await code().search("stairs");
    await code().row("Knee").waitFor();
    await code().press("Escape");
  });

  it("is left alone after three times, with a button to start it", async () => {
    await kill();
    await kill();
    const toast = code().toast("three times");
    await toast.waitFor();
    await code().status("Notekin stopped").waitFor();
    expect(await code().page.locator(".notification-toast").count()).toBe(1);
    await code().picture("stopped");
    await toast.locator(".monaco-button").filter({ hasText: "Start Again" }).click();
    await code().idle();
  });
});
