/** A Code with a vault open in a browser, used by keys and eyes. */

import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { inject } from "vitest";
import type { Stage } from "../setup/global";
import { openWindow, type Window } from "./browser";
import { CodeServer, type Opening } from "./codeServer";
import { KEPT, SAMPLES } from "./folders";

export interface Wish extends Partial<Opening> {
  /** Folders or notes of the sample vault to begin with; all of it when left out. */
  readonly notes?: readonly string[];
  /** Open these folders of the vault together, as one workspace, instead of the vault. */
  readonly folders?: readonly string[];
  /** Whether the server of this checkout is named in the settings; true when left out. */
  readonly namesServer?: boolean;
  /** Put further files into the vault before it is opened. */
  readonly prepare?: (vault: string, run: string) => Promise<void>;
}

/** Indexing gives way to everything else, and would wait for ever on a machine that is busy with other tests. */
const HURRIED = { "notekin.indexing.nice": 0 };
/** How long a state may take to come on a busy machine; no test waits for this to pass. */
const PATIENCE_MS = 30_000;

export class Workbench {
  private constructor(
    public readonly stage: Stage,
    public readonly run: string,
    public readonly vault: string,
    private readonly address: string,
    private readonly server: CodeServer,
    private readonly window: Window,
  ) {}

  public static async open(wish: Wish = {}): Promise<Workbench> {
    const stage = inject("stage");
    if (stage === undefined) throw new Error(inject("whyNot"));
    const run = await mkdtemp(path.join(os.tmpdir(), "notekin-e2e-"));
    const vault = path.join(run, "vault");
    await mkdir(path.join(run, "home"));
    await mkdir(vault);
    for (const name of wish.notes ?? ["."]) await cp(path.join(SAMPLES, name), path.join(vault, name), { recursive: true });
    await wish.prepare?.(vault, run);
    const named = wish.namesServer === false ? {} : { "notekin.server.command": [stage.python, "-m", "notekin", "lsp"] };
    const opening: Opening = { trust: "all", withExtension: true, ...wish, machine: { ...HURRIED, ...named, ...wish.machine } };
    const server = await CodeServer.start(stage, run, opening);
    const window = await openWindow(stage.chromium, server.url).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    window.page.setDefaultTimeout(PATIENCE_MS);
    const opened = new Workbench(stage, run, vault, await addressOf(vault, run, wish.folders), server, window);
    try {
      await opened.load();
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  }

  public get page(): Page {
    return this.window.page;
  }

  /** Addresses other than Code's own that were asked for. */
  public get outside(): readonly string[] {
    return [...this.window.outside];
  }

  public async close(): Promise<void> {
    await this.window.browser.close();
    await this.server.stop();
    await rm(this.run, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Keep what helps to see why a test failed. */
  public async keep(name: string): Promise<void> {
    const folder = path.join(KEPT, name.replace(/[^\w-]+/g, "-"));
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, "screen.png") });
    // Where only the log is kept, as on other people's machines.
    const input = await this.picker.locator("input").first().inputValue({ timeout: 1000 }).catch(() => "");
    console.error(`${name}: ${JSON.stringify({ input, rows: await this.labels(), tabs: await this.tabs(), status: await this.status().allInnerTexts() })}`);
    await cp(path.join(this.run, "data/logs"), path.join(folder, "logs"), { recursive: true }).catch(() => undefined);
    await cp(path.join(this.run, "code-server.log"), path.join(folder, "code-server.log")).catch(() => undefined);
  }

  /** A picture for the documentation, where they are asked for. */
  public async picture(name: string): Promise<void> {
    const folder = process.env["NOTEKIN_PICTURES"];
    if (folder === undefined) return;
    await this.page.locator(".statusbar-item").filter({ hasText: "Activating Extensions" }).waitFor({ state: "hidden" });
    await this.page.screenshot({ path: path.join(folder, `vscode-${name}.png`), animations: "disabled" });
  }

  /** Open the window, or open it anew. */
  public async load(): Promise<void> {
    const go = async (): Promise<void> => {
      await this.page.goto(this.server.url + this.address, { waitUntil: "domcontentloaded" });
      await this.page.locator(".monaco-workbench .statusbar-item").first().waitFor({ timeout: 30_000 });
    };
    await go().catch(go);
  }

  // --- What a person sees -------------------------------------------------------------------

  /** The item of Notekin in the status bar; with a text, only while it says so. */
  public status(text?: string | RegExp): Locator {
    const item = this.page.locator('.statusbar-item[id*="notekin"]');
    return text === undefined ? item : item.filter({ hasText: text });
  }

  /** Wait until everything is indexed. */
  public async idle(timeout = 90_000): Promise<void> {
    await this.status(/Notekin: [\d,.]+ notes$/).waitFor({ timeout });
  }

  public get picker(): Locator {
    return this.page.locator(".quick-input-widget");
  }

  public row(text: string | RegExp): Locator {
    return this.picker.locator(".monaco-list-row").filter({ hasText: text }).first();
  }

  /** Labels of the rows that are on screen, from the top. */
  public async labels(): Promise<string[]> {
    return this.picker.locator(".monaco-list-row .quick-input-list-row:first-child .label-name").allInnerTexts();
  }

  public toast(text: string | RegExp): Locator {
    return this.page.locator(".notification-toast").filter({ hasText: text }).first();
  }

  public tab(text: string | RegExp): Locator {
    return this.page.locator(".tabs-container .tab").filter({ hasText: text });
  }

  /** Names of the files that are open, from the left. */
  public async tabs(): Promise<(string | null)[]> {
    return this.page.locator(".tabs-container .tab").evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute("data-resource-name")));
  }

  /** A line of the editor in front, by part of its text. */
  public line(text: string): Locator {
    return this.page.locator(".editor-group-container.active .view-line").filter({ hasText: text }).first();
  }

  /** Wait until the cursor stands there; counted from one, as the status bar does. */
  public async cursorAt(line: number, column?: number): Promise<void> {
    const place = column === undefined ? new RegExp(`^Ln ${line}, `) : `Ln ${line}, Col ${column}`;
    await this.page.locator('.statusbar-item[id="status.editor.selection"]').filter({ hasText: place }).waitFor();
  }

  // --- What a person does -------------------------------------------------------------------

  public async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  public async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Run a command by its title. */
  public async command(title: string): Promise<void> {
    await this.press("F1");
    await this.picker.locator("input").first().waitFor();
    await this.type(title);
    await this.enter(title);
  }

  /** Take the highlighted row once it is this one: lists are filtered while one types. */
  private async enter(label: string): Promise<void> {
    await this.picker.locator(".monaco-list-row.focused").filter({ hasText: label }).waitFor();
    await this.press("Enter");
  }

  /** Choose from the menu behind the status bar. */
  public async menu(choice: string): Promise<void> {
    await this.status().click();
    await this.row(choice).click();
  }

  /** Open the search by its key and type. */
  public async search(query: string): Promise<void> {
    await this.press("Control+k", "n");
    await this.picker.locator('input[placeholder^="Words"]').waitFor();
    await this.type(query);
  }

  /** Leave the search; one is back when it is closed. */
  public async leaveSearch(): Promise<void> {
    await this.press("Escape");
    await this.picker.waitFor({ state: "hidden" });
  }

  /** Open a note by the beginning of its name, as with Ctrl+P. */
  public async openNote(name: string): Promise<void> {
    await this.press("Control+p");
    await this.picker.locator('input[placeholder^="Search files"]').waitFor();
    await this.type(name);
    await this.enter(name);
    await this.tab(name).and(this.page.locator(".active")).waitFor();
    await this.page.locator(".editor-group-container.active .view-line").first().waitFor();
  }

  public async goToLine(line: number): Promise<void> {
    await this.press("Control+g");
    await this.picker.locator("input").first().waitFor();
    await this.type(String(line));
    await this.press("Enter");
    await this.cursorAt(line);
  }
}

/** The part of the address that says what is opened. */
async function addressOf(vault: string, run: string, folders: readonly string[] | undefined): Promise<string> {
  if (folders === undefined) return `/?folder=${encodeURIComponent(vault)}`;
  const file = path.join(run, "notes.code-workspace");
  await writeFile(file, JSON.stringify({ folders: folders.map((name) => ({ path: path.join(vault, name) })) }));
  return `/?workspace=${encodeURIComponent(file)}`;
}
