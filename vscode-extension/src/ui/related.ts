/** The view of related passages, which follows the cursor. */

import * as vscode from "vscode";
import { byNote, type NoteGroup } from "../core/grouping";
import { Latest } from "../core/latest";
import { linkTo } from "../core/links";
import { cursorOf } from "../core/places";
import type { Hit, RelatedParams, SearchResult } from "../core/protocol";
import { excerptAround, oneLine } from "../core/text";
import type { Configuration } from "./configuration";
import { insertLink } from "./insert";
import { t } from "./l10n";
import { READABLE_SCHEME } from "./uris";

export type Node = { readonly kind: "note"; readonly group: NoteGroup } | { readonly kind: "hit"; readonly hit: Hit };

/** Asks the server; undefined while there is none. */
export type Ask = (params: RelatedParams, signal: AbortSignal) => Promise<SearchResult> | undefined;

export const RELATED_VIEW = "notekin.related";
const FOLLOW_MS = 300;
const N_HITS = 12;

interface Question {
  readonly params: RelatedParams;
  /** What it was asked for: the same paragraph in the same version is not asked again. */
  readonly key: string;
}

export class RelatedView implements vscode.TreeDataProvider<Node>, vscode.TreeDragAndDropController<Node>, vscode.Disposable {
  public readonly dragMimeTypes = ["text/plain"];
  public readonly dropMimeTypes = [];
  private readonly changed = new vscode.EventEmitter<undefined>();
  public readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly disposables: readonly { dispose(): unknown }[];
  private groups: readonly NoteGroup[] = [];
  private revision = "";
  private lastKey = "";
  private readonly asking = new Latest<Question, SearchResult | undefined>(
    async ({ params }, signal) => this.ask(params, signal),
    (result, { key }) => {
      this.show(result, key);
    },
    () => {
      this.lastKey = "";
      this.tell(t("Nothing can be said about this place right now."), []);
    },
  );

  public constructor(
    private readonly ask: Ask,
    private readonly configuration: Configuration,
  ) {
    this.view = vscode.window.createTreeView(RELATED_VIEW, {
      treeDataProvider: this,
      dragAndDropController: this,
      showCollapseAll: true,
    });
    this.disposables = [
      this.view,
      this.changed,
      this.view.onDidChangeVisibility(() => {
        this.follow();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => {
        this.follow();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor) this.follow();
      }),
    ];
  }

  /** The index moved to another revision, or the server changed: what is shown may be old. */
  public refresh(revision: string): void {
    if (revision === this.revision) return;
    this.revision = revision;
    this.follow();
  }

  public getTreeItem(node: Node): vscode.TreeItem {
    return node.kind === "note" ? noteItem(node.group) : hitItem(node.hit);
  }

  public getChildren(node?: Node): Node[] {
    if (node === undefined) return this.groups.map((group) => ({ kind: "note", group }));
    return node.kind === "note" ? node.group.hits.map((hit) => ({ kind: "hit", hit })) : [];
  }

  public handleDrag(nodes: readonly Node[], data: vscode.DataTransfer): void {
    const from = vscode.window.activeTextEditor?.document.uri.toString();
    const links = nodes.map(firstHit).filter((hit) => hit !== undefined);
    const style = this.configuration.linkStyle(from);
    data.set("text/plain", new vscode.DataTransferItem(links.map((hit) => linkTo(hit, from, style)).join("\n")));
  }

  public async insert(node: Node | undefined): Promise<void> {
    const hit = firstHit(node ?? this.view.selection[0]);
    if (hit !== undefined) await insertLink(hit, vscode.window.activeTextEditor, this.configuration);
  }

  public dispose(): void {
    this.asking.cancel();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private follow(): void {
    const editor = vscode.window.activeTextEditor;
    if (!this.view.visible) {
      this.asking.cancel(); // Nobody looks: no work.
      return;
    }
    if (editor === undefined || !["file", READABLE_SCHEME].includes(editor.document.uri.scheme)) return; // The focus is in a view: keep what is shown.
    const { line } = editor.selection.active;
    const uri = editor.document.uri.toString();
    const key = `${this.revision} ${uri} ${editor.document.version} ${line}`;
    if (key === this.lastKey) {
      this.asking.cancel(); // Back at what is shown, before another place was.
      return;
    }
    const params = { textDocument: { uri }, position: { line, character: editor.selection.active.character }, limit: N_HITS };
    this.asking.ask({ params, key }, FOLLOW_MS);
  }

  private show(result: SearchResult | undefined, key: string): void {
    if (result === undefined) {
      this.tell(undefined, []); // The view itself says that there is no server, and what to do.
      return;
    }
    this.lastKey = key;
    const good = byNote(result.hits.filter((hit) => hit.weak !== true));
    const isGrowing = result.verdict === "incomplete";
    const nothing = isGrowing ? t("Nothing related so far; the index is still growing.") : t("No other passage is related to this paragraph.");
    this.tell(good.length > 0 ? undefined : nothing, good);
  }

  private tell(message: string | undefined, groups: readonly NoteGroup[]): void {
    this.groups = groups;
    // The typings allow no undefined here, although that is how a message is taken away.
    this.view.message = message ?? "";
    this.changed.fire(undefined);
  }
}

function firstHit(node: Node | undefined): Hit | undefined {
  return node?.kind === "note" ? node.group.hits[0] : node?.hit;
}

function noteItem(group: NoteGroup): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(group.title), vscode.TreeItemCollapsibleState.Expanded);
  // Without a `resourceUri`: the editor would drop the file's path where the link belongs.
  item.id = group.uri;
  item.iconPath = new vscode.ThemeIcon(group.linked ? "link" : "file");
  item.description = group.linked ? t("already linked") : "";
  item.contextValue = group.linked ? "linkedNote" : "note";
  return item;
}

function hitItem(hit: Hit): vscode.TreeItem {
  const heading = oneLine(hit.headings.at(-1) ?? hit.title);
  const place = hit.page === undefined ? t("line {0}", cursorOf(hit).line + 1) : t("page {0}", hit.page);
  const excerpt = excerptAround(hit.text, hit.highlights, 90);
  const item = new vscode.TreeItem(excerpt, vscode.TreeItemCollapsibleState.None);
  item.id = hit.chunkId + hit.folder;
  item.description = `${heading}, ${place}`;
  item.tooltip = `${heading}, ${place}\n\n${hit.text}`;
  item.contextValue = "hit";
  item.accessibilityInformation = { label: `${excerpt}, ${heading}, ${place}` };
  item.command = { command: "notekin.ui.related.open", title: t("Open"), arguments: [hit] };
  return item;
}
