/** The search: a picker that asks as one types. */

import * as vscode from "vscode";
import { recentRows, type RecentNote } from "../core/recent";
import { Latest } from "../core/latest";
import { linkTo } from "../core/links";
import type { Hit, Mode, SearchResult } from "../core/protocol";
import { rowsOf } from "../core/rows";
import { modeName, MODES, next, scopeName, scopes, type Scope } from "../core/scope";
import type { Configuration } from "./configuration";
import { insertLink } from "./insert";
import { t } from "./l10n";
import { BESIDE, HERE, openHit, openPdf, type How } from "./open";
import { itemOf, type Item, type RowButton } from "./items";
import { Preview } from "./preview";
import { editorUri, folderNames } from "./uris";

/** What a search needs of the rest. */
export interface Needs {
  readonly configuration: Configuration;
  search(query: string, scope: Scope, mode: Mode, signal: AbortSignal): Promise<SearchResult>;
  history(): readonly string[];
  remember(query: string): void;
  recentNotes(): readonly RecentNote[];
}

const TYPING_MS = 40;
const REFRESH_MS = 600;
const GLANCE_MS = 60;

/** One opened picker; it disposes itself when it closes. */
export class Search {
  private readonly picker = vscode.window.createQuickPick<Item>();
  private readonly preview = new Preview();
  private readonly scopes: readonly Scope[];
  private scope: Scope;
  private mode: Mode;
  private result: SearchResult | undefined;
  /** The query whose answer is shown. */
  private answered = "";
  private held: (() => Promise<void>) | undefined;
  private shownId: string | undefined;
  private isDone = false;
  private hasGlanced = false;
  private readonly asking = new Latest<string, SearchResult>(
    (query, signal) => this.needs.search(query, this.scope, this.mode, signal),
    (result, query) => {
      this.show(result, query);
    },
    (error) => {
      this.showError(error);
    },
  );
  private readonly glancing = new Latest<Hit, unknown>(
    (hit, signal) => this.preview.show(hit, signal),
    () => undefined,
    () => undefined, // A note that cannot be shown now is told about when it is opened.
  );

  public constructor(
    private readonly needs: Needs,
    query: string,
    private readonly onClosed: (wayBack: Promise<void>) => void,
  ) {
    const vaults = [...folderNames()].map(([uri, name]) => ({ uri, name }));
    this.scopes = scopes({ vaults, note: this.preview.originUri });
    this.scope = this.scopes[0] ?? { kind: "all" };
    this.mode = needs.configuration.mode;
    const { picker } = this;
    // The editor would move titles that hold the query to the front. Newer versions of it have a
    // switch for that, which its typings do not name.
    Object.assign(picker, { sortByLabel: false });
    picker.value = query;
    picker.onDidChangeValue(() => {
      this.held = undefined;
      this.ask(TYPING_MS);
    });
    picker.onDidChangeActive(([item]) => {
      this.glance(item);
    });
    picker.onDidAccept(() => {
      this.onceAnswered(() => this.accept(HERE));
    });
    picker.onDidTriggerButton((button) => {
      (button as Partial<BarButton>).press?.();
    });
    picker.onDidTriggerItemButton(({ button, item }) => void this.pressed(button as RowButton, item));
    picker.onDidHide(() => {
      this.onClosed(this.hidden());
    });
    this.describe();
    this.ask(0);
    picker.show();
  }

  /** The index moved on: ask again where the last answer was incomplete. */
  public refresh(): void {
    if (this.result?.verdict === "incomplete" && !this.asking.isBusy) this.ask(REFRESH_MS);
  }

  public nextScope(): void {
    this.scope = next(this.scopes, this.scope);
    this.changedHow();
  }

  public nextMode(): void {
    this.mode = next(MODES, this.mode);
    this.changedHow();
  }

  public openBeside(): void {
    this.onceAnswered(() => this.accept(BESIDE));
  }

  public insertActive(): void {
    this.onceAnswered(async () => {
      const hit = hitOf(this.picker.activeItems[0]);
      if (hit !== undefined) await this.insert(hit);
    });
  }

  public copyActive(): void {
    this.onceAnswered(async () => {
      const hit = hitOf(this.picker.activeItems[0]);
      if (hit !== undefined) await this.copy(hit);
    });
  }

  /** Who types and accepts in one go means the rows of the whole query, not those of its beginning. */
  private onceAnswered(act: () => Promise<void>): void {
    if (this.query === this.answered) void act();
    else this.held = act;
  }

  private get query(): string {
    return this.picker.value.trim();
  }

  private changedHow(): void {
    this.result = undefined;
    this.describe();
    this.ask(0);
  }

  private describe(): void {
    const { picker, scope, mode } = this;
    picker.title = t("Search Notes: {0}, {1}", scopeName(scope, t), modeName(mode, t));
    picker.placeholder = t("Words, or what it was about");
    const nextScope = next(this.scopes, scope);
    picker.buttons = [
      ...(this.scopes.length < 2
        ? []
        : [barButton("folder", t("Search {0} instead", scopeName(nextScope, t)), () => { this.nextScope(); })]),
      barButton("settings", t("Search {0} instead", modeName(next(MODES, mode), t)), () => { this.nextMode(); }),
    ];
  }

  private ask(delayMs: number): void {
    const { query } = this;
    if (query === "") {
      this.asking.cancel();
      this.glancing.cancel();
      this.picker.busy = false;
      this.result = undefined;
      this.answered = "";
      this.picker.items = recentRows(this.needs.history(), this.needs.recentNotes(), t).map(itemOf);
      return;
    }
    this.picker.busy = true;
    this.asking.ask(query, delayMs);
  }

  private show(result: SearchResult, query: string): void {
    const { picker } = this;
    const look = { scores: this.needs.configuration.scores, vaultNames: folderNames() };
    // An answer that grows leaves the person at their row; a new question begins at the top.
    const isAgain = query === this.answered && this.result !== undefined;
    const kept = isAgain ? this.shownId : undefined;
    const items = rowsOf(result, look, t).map(itemOf);
    picker.busy = false;
    picker.keepScrollPosition = isAgain;
    this.result = result;
    this.answered = query;
    picker.items = items;
    const hits = items.filter((item) => hitOf(item) !== undefined);
    const active = hits.find((item) => hitOf(item)?.chunkId === kept) ?? hits[0];
    if (active !== undefined && result.verdict !== "notFound") picker.activeItems = [active];
    const { held } = this;
    this.held = undefined;
    void held?.();
  }

  private showError(error: unknown): void {
    this.picker.busy = false;
    this.result = undefined;
    const told = error instanceof Error ? error.message : String(error);
    this.picker.items = [itemOf({ kind: "told", icon: "error", label: told })];
  }

  private glance(item: Item | undefined): void {
    const hit = hitOf(item);
    this.shownId = hit?.chunkId;
    if (hit === undefined || !this.needs.configuration.preview || this.isDone) {
      this.glancing.cancel();
      this.preview.clear();
      return;
    }
    this.hasGlanced = true;
    this.glancing.ask(hit, GLANCE_MS);
  }

  private async accept(how: How): Promise<void> {
    const row = this.picker.activeItems[0]?.row;
    if (row === undefined || row.kind === "told" || row.kind === "group") return;
    if (row.kind === "query") {
      this.picker.value = row.query;
      this.ask(0);
      return;
    }
    this.end();
    if (row.kind === "note") {
      await vscode.window.showTextDocument(editorUri(row.uri), { viewColumn: how.column });
      return;
    }
    if (how.column === vscode.ViewColumn.Beside) await this.preview.restore();
    await openHit(row.hit, how);
  }

  private async pressed(button: RowButton, item: Item): Promise<void> {
    const hit = hitOf(item);
    if (hit === undefined) return;
    switch (button.does) {
      case "insert":
        await this.insert(hit);
        break;
      case "copy":
        await this.copy(hit);
        break;
      case "pdf":
        this.end();
        await openPdf(hit);
        break;
    }
  }

  private async insert(hit: Hit): Promise<void> {
    this.end();
    await insertLink(hit, await this.preview.restore(), this.needs.configuration.linkStyle);
  }

  private async copy(hit: Hit): Promise<void> {
    await vscode.env.clipboard.writeText(linkTo(hit, this.preview.originUri, this.needs.configuration.linkStyle));
    vscode.window.setStatusBarMessage(t("The link is copied."), 3000);
  }

  /** The person decided: what was typed is remembered and the picker closes for good. */
  private end(): void {
    this.isDone = true;
    this.glancing.cancel();
    this.preview.clear();
    this.needs.remember(this.picker.value);
    this.picker.hide();
  }

  private async hidden(): Promise<void> {
    this.asking.cancel();
    this.glancing.cancel();
    if (!this.isDone && this.hasGlanced) await this.preview.restore();
    this.picker.dispose();
    this.preview.dispose();
  }
}

interface BarButton extends vscode.QuickInputButton {
  readonly press: () => void;
}

function barButton(icon: string, tooltip: string, press: () => void): BarButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip, press };
}

function hitOf(item: Item | undefined): Hit | undefined {
  return item?.row.kind === "hit" ? item.row.hit : undefined;
}
