/** The search: a picker that asks as one types. */

import * as vscode from "vscode";
import { ActiveRow } from "../core/activeRow";
import { Inquiry } from "../core/inquiry";
import { recentRows, type RecentNote } from "../core/recent";
import { Latest } from "../core/latest";
import { linkTo } from "../core/links";
import type { Hit, Mode, SearchResult } from "../core/protocol";
import { rowsOf } from "../core/rows";
import { modeName, MODES, next, scopeName, scopes, type Scope } from "../core/scope";
import type { Configuration } from "./configuration";
import { insertLink } from "./insert";
import { t } from "./l10n";
import { BESIDE, HERE, openHit, openNote, openPdf, type How } from "./open";
import { barButtons, errorItem, hitOf, itemOf, rowFor, type BarButton, type Item, type RowButton } from "./items";
import { Preview } from "./preview";
import { untilShown } from "./untilShown";
import { editorUri, folderNames } from "./uris";

/** What a search needs of the rest. */
export interface Needs {
  readonly configuration: Configuration;
  search(query: string, scope: Scope, mode: Mode, signal: AbortSignal): Promise<SearchResult>;
  /** Another one whenever the index holds something else, or the server is another. */
  revision(): string;
  history(): readonly string[];
  remember(query: string): void;
  recentNotes(): readonly RecentNote[];
}

const GLANCE_MS = 60;
/** Opening a note keeps the editor from showing the next rows: who types on looks at none. */
const TYPING_GLANCE_MS = 200;

/** One opened picker; it disposes itself when it closes. */
export class Search {
  private readonly picker = vscode.window.createQuickPick<Item>();
  private readonly preview = new Preview();
  private readonly scopes: readonly Scope[];
  private scope: Scope;
  private mode: Mode;
  private shownId: string | undefined;
  private isDone = false;
  /** The way back, once Escape was pressed. */
  private wayBack: Promise<unknown> | undefined;
  private readonly inquiry = new Inquiry({
    search: (query, signal) => this.needs.search(query, this.scope, this.mode, signal),
    revision: () => this.needs.revision(),
    asked: (query) => { this.wait(query); },
    answered: (result, isAgain) => { this.show(result, isAgain); },
    failed: (error) => { this.showError(error); },
  });
  private readonly glancing = new Latest<Hit, unknown>(
    (hit, signal) => this.preview.show(hit, signal),
    () => undefined,
    () => undefined, // A note that cannot be shown now is told about when it is opened.
  );
  private readonly active = new ActiveRow<Item>(() => this.picker.activeItems[0], untilShown, (item, isNew) => {
    this.glance(item, isNew ? TYPING_GLANCE_MS : GLANCE_MS);
  });

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
    picker.onDidChangeValue(() => { this.inquiry.typed(this.query); });
    picker.onDidChangeActive(() => { this.active.moved(); });
    picker.onDidAccept(() => { this.onceAnswered(() => this.accept(HERE)); });
    picker.onDidTriggerButton((button) => { (button as Partial<BarButton>).press?.(); });
    picker.onDidTriggerItemButton(({ button, item }) => void this.pressed(button as RowButton, item));
    const hiding = picker.onDidHide(() => {
      hiding.dispose(); // It would be told once more when the picker is disposed of.
      this.onClosed(this.hidden());
    });
    this.describe();
    this.inquiry.ask(this.query);
    picker.show();
  }

  /** The server or its index moved on. */
  public refresh(): void {
    if (this.wayBack === undefined) this.inquiry.refresh();
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

  /** Escape: first back, then closed, so that the focus comes to the editor one was in. */
  public async goBack(): Promise<void> {
    if (this.wayBack !== undefined) return;
    this.inquiry.cancel();
    this.glancing.cancel();
    const way = this.preview.restore();
    this.wayBack = way;
    await way;
    // Whoever asked for a search again before this one closed has it.
    if (this.wayBack === way) this.close();
  }

  /** It is asked for while it is open, or still closing. */
  public again(query: string): void {
    if (this.wayBack !== undefined || query !== "") this.take(query);
    this.wayBack = undefined;
    this.picker.show();
  }

  public insertActive(): void {
    this.onceAnswered(() => this.insert(hitOf(this.active.row)));
  }

  public copyActive(): void {
    this.onceAnswered(() => this.copy(hitOf(this.active.row)));
  }

  private onceAnswered(act: () => Promise<void>): void {
    this.inquiry.onceAnswered(this.query, act);
  }

  private take(query: string): void {
    this.picker.value = query;
    this.inquiry.ask(this.query);
  }

  private get query(): string {
    return this.picker.value.trim();
  }

  private changedHow(): void {
    this.describe();
    this.inquiry.askAnew();
  }

  private describe(): void {
    const { picker, scope, mode } = this;
    picker.title = t("Search Notes: {0}, {1}", scopeName(scope, t), modeName(mode, t));
    picker.placeholder = t("Words, or what it was about");
    picker.buttons = barButtons(this.scopes.length > 1 ? next(this.scopes, scope) : undefined, next(MODES, mode), this);
  }

  /** A query was asked. */
  private wait(query: string): void {
    this.picker.busy = query !== "";
    if (query !== "") return;
    this.glancing.cancel();
    const notes = this.needs.recentNotes().filter(({ uri }) => uri !== this.preview.originUri);
    this.fill(recentRows(this.needs.history(), notes, t).map(itemOf));
  }

  private show(result: SearchResult, isAgain: boolean): void {
    const { picker } = this;
    const look = { scores: this.needs.configuration.scores, vaultNames: folderNames() };
    // An answer that grows leaves the person at their row; a new question begins at the top.
    const kept = isAgain ? this.shownId : undefined;
    const items = rowsOf(result, look, t).map(itemOf);
    picker.busy = false;
    picker.keepScrollPosition = isAgain;
    this.fill(items, result.verdict === "notFound" ? undefined : rowFor(kept, items));
  }

  /** Show these rows, this one active; the first that can be, when left out. */
  private fill(items: readonly Item[], active?: Item): void {
    this.picker.items = items;
    const first = items.find(({ row }) => row.kind !== "group");
    // The first is active by itself, with an event; set here, without: a resting mouse's would count.
    if (active !== undefined && active !== first) this.picker.activeItems = [active];
    void this.active.replaced(active ?? first);
  }

  private showError(error: unknown): void {
    this.picker.busy = false;
    this.fill([errorItem(error)]);
  }

  private glance(item: Item | undefined, delayMs: number): void {
    const hit = hitOf(item);
    this.shownId = hit?.chunkId;
    if (hit === undefined || !this.needs.configuration.preview || this.isDone || this.wayBack !== undefined) {
      this.glancing.cancel();
      this.preview.clear();
      return;
    }
    this.glancing.ask(hit, delayMs);
  }

  private async accept(how: How): Promise<void> {
    const row = this.active.row?.row;
    if (row === undefined || row.kind === "told" || row.kind === "group") return;
    if (row.kind === "query") {
      this.take(row.query);
      return;
    }
    this.decide();
    this.close();
    if (row.kind === "note") {
      await openNote(editorUri(row.uri), how.column);
      return;
    }
    if (how.column === vscode.ViewColumn.Beside) await this.preview.restore();
    await this.preview.tidy(await openHit(row.hit, how));
  }

  private async pressed(button: RowButton, item: Item): Promise<void> {
    const hit = hitOf(item);
    if (button.does === "insert") await this.insert(hit);
    else if (button.does === "copy") await this.copy(hit);
    else if (hit !== undefined) {
      this.decide();
      this.close();
      await openPdf(hit, HERE);
      await this.preview.tidy();
    }
  }

  private async insert(hit: Hit | undefined): Promise<void> {
    if (hit === undefined) return;
    this.decide();
    const editor = await this.preview.restore();
    this.close();
    await insertLink(hit, editor, this.needs.configuration);
  }

  private async copy(hit: Hit | undefined): Promise<void> {
    if (hit === undefined) return;
    await vscode.env.clipboard.writeText(linkTo(hit, this.preview.originUri, this.needs.configuration.linkStyle(this.preview.originUri)));
    vscode.window.setStatusBarMessage(t("The link is copied."), 3000);
  }

  /** The person decided: what was typed is remembered, and nothing more is shown. */
  private decide(): void {
    this.isDone = true;
    this.glancing.cancel();
    this.preview.clear();
    this.needs.remember(this.picker.value);
  }

  /** It is closed at once; merely hidden, it could be asked for again while the editor hides it. */
  private close(): void {
    this.isDone = true;
    this.picker.dispose();
  }

  private async hidden(): Promise<void> {
    this.inquiry.cancel();
    this.glancing.cancel();
    this.picker.dispose();
    if (!this.isDone) await (this.wayBack ?? this.preview.restore());
    this.preview.dispose();
  }
}
