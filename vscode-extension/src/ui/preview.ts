/** Glances at hits while the picker keeps the focus, and the way back to where one was. */

import * as vscode from "vscode";
import { highlightRanges, placeOf } from "../core/places";
import type { Hit } from "../core/protocol";
import { GLANCE, openHit, toRange } from "./open";

/** The editor one was in. */
interface Origin {
  readonly document: vscode.TextDocument;
  readonly column: vscode.ViewColumn | undefined;
  readonly selections: readonly vscode.Selection[];
  readonly visible: vscode.Range | undefined;
  readonly wasPreview: boolean;
}

export class Preview implements vscode.Disposable {
  private readonly origin = originOf(vscode.window.activeTextEditor);
  private readonly tabsBefore = new Set(tabKeys());
  /** Tabs that were opened for a glance. Where the editor opens no previews, each would stay. */
  private readonly glanced = new Set<string>();
  private readonly passage = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    // Seen in high contrast only, where the background has no colour.
    border: "1px dotted",
    borderColor: new vscode.ThemeColor("editor.rangeHighlightBorder"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.rangeHighlightForeground"),
  });
  private readonly matches = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.findMatchHighlightBackground"),
    border: "1px solid",
    borderColor: new vscode.ThemeColor("editor.findMatchHighlightBorder"),
  });
  private decorated: vscode.TextEditor | undefined;
  private opening: Promise<unknown> | undefined;
  /** What was shown last that one is not back from. */
  private shown: vscode.TextDocument | undefined;
  /** Counts the ways back that were begun or called off; only the last one is gone to its end. */
  private nWays = 0;

  /** The note one was in, as a URI; what links are relative to. */
  public get originUri(): string | undefined {
    return this.origin?.document.uri.toString();
  }

  /** Show a hit; nothing is shown once the signal was given. */
  public async show(hit: Hit, signal: AbortSignal): Promise<void> {
    this.nWays += 1;
    const opening = openHit(hit, GLANCE);
    this.opening = opening;
    const editor = await opening;
    if (editor === undefined) return;
    this.shown = editor.document;
    this.glanced.add(keyOf(editor.viewColumn, editor.document.uri));
    if (signal.aborted) return;
    this.clear();
    this.decorated = editor;
    const valid = (range: vscode.Range): vscode.Range => editor.document.validateRange(range);
    editor.setDecorations(this.passage, [valid(toRange(placeOf(hit).range))]);
    editor.setDecorations(this.matches, highlightRanges(hit).map(toRange).map(valid));
    if (!opensPreviews()) await this.tidy(editor);
  }

  /** Take the marks away; the editor stays. */
  public clear(): void {
    const { decorated } = this;
    this.decorated = undefined;
    // An editor that was closed or took another document meanwhile lost its marks by itself.
    if (decorated === undefined || !vscode.window.visibleTextEditors.includes(decorated)) return;
    decorated.setDecorations(this.passage, []);
    decorated.setDecorations(this.matches, []);
  }

  /**
   * Go back to where one was, and close what was opened for a glance only. The focus stays where it
   * is: in the search, which gives it to the editor as it closes, or in another picker that was opened
   * meanwhile, which would close without it. A new glance calls it off.
   */
  public async restore(): Promise<vscode.TextEditor | undefined> {
    const way = ++this.nWays;
    if (this.opening === undefined) return vscode.window.activeTextEditor;
    // A glance on its way would arrive after the person is back.
    await this.opening.catch(() => undefined);
    if (way !== this.nWays) return undefined;
    this.clear();
    const editor = this.origin === undefined || this.isElsewhere ? undefined : await reopen(this.origin).catch(() => undefined);
    if (way !== this.nWays) return undefined;
    await this.tidy();
    return editor;
  }

  /** Close what was opened for a glance only, but for the editor that is kept. */
  public async tidy(kept?: vscode.TextEditor): Promise<void> {
    const keptKey = kept && keyOf(kept.viewColumn, kept.document.uri);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const over = tabs.filter((tab) => {
      const key = tabKey(tab);
      const isGlance = opensPreviews() ? tab.isPreview : this.glanced.has(key);
      return isGlance && !tab.isDirty && key !== keptKey && !this.tabsBefore.has(key);
    });
    if (over.length > 0) await vscode.window.tabGroups.close(over, true);
  }

  /** Whether the person opened something else since: that is where they want to be. */
  private get isElsewhere(): boolean {
    const front = vscode.window.activeTextEditor?.document;
    return front !== undefined && this.shown !== undefined && front !== this.shown && front !== this.origin?.document;
  }

  public dispose(): void {
    this.passage.dispose();
    this.matches.dispose();
  }
}

function opensPreviews(): boolean {
  return vscode.workspace.getConfiguration("workbench.editor").get("enablePreview", true);
}

function originOf(editor: vscode.TextEditor | undefined): Origin | undefined {
  return (
    editor && {
      document: editor.document,
      column: editor.viewColumn,
      selections: editor.selections,
      visible: editor.visibleRanges[0],
      wasPreview: vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview ?? false,
    }
  );
}

async function reopen(origin: Origin): Promise<vscode.TextEditor> {
  const editor = await vscode.window.showTextDocument(origin.document, {
    ...(origin.column === undefined ? {} : { viewColumn: origin.column }),
    preserveFocus: true,
    preview: origin.wasPreview,
  });
  editor.selections = origin.selections;
  if (origin.visible !== undefined) editor.revealRange(origin.visible, vscode.TextEditorRevealType.AtTop);
  return editor;
}

function tabKeys(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(tabKey);
}

function tabKey(tab: vscode.Tab): string {
  return keyOf(tab.group.viewColumn, tab.input instanceof vscode.TabInputText ? tab.input.uri : tab.label);
}

function keyOf(column: vscode.ViewColumn | undefined, name: vscode.Uri | string): string {
  return `${column ?? ""} ${name.toString()}`;
}
