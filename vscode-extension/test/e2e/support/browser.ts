/** A browser that reaches this machine only, and tells what the page asked of others. */

import { chromium, type Browser, type Page } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

export interface Window {
  readonly browser: Browser;
  readonly page: Page;
  /** Addresses outside of `home` that the page asked for. */
  readonly outside: Set<string>;
}

export async function openWindow(executable: string, home: string): Promise<Window> {
  const browser = await chromium.launch({ executablePath: executable, args: FLAGS });
  const context = await browser.newContext({ viewport: { width: 1200, height: 720 }, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const outside = new Set<string>();
  context.on("request", (request) => {
    const { protocol, origin, pathname } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== home) outside.add(origin + pathname);
  });
  return { browser, page, outside };
}
