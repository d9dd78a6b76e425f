/** The related view against an editor of which only what it uses is there. */

import { beforeEach, describe, expect, it, vi } from "vitest";
import type { RelatedParams, SearchResult } from "../../src/core/protocol";
import { aHit, aResult, VAULT } from "./samples";

class Emitter<T> {
  private listeners: ((value: T) => void)[] = [];
  public readonly event = (listener: (value: T) => void): { dispose: () => void } => {
    this.listeners.push(listener);
    return { dispose: () => undefined };
  };
  public fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
  public dispose(): void {
    this.listeners = [];
  }
}

const editor = vi.hoisted((): { view: Record<string, unknown>; window: Record<string, unknown> } => ({
  view: { visible: false, message: "", selection: [], dispose: () => undefined, onDidChangeVisibility: undefined },
  window: {},
}));
vi.mock("vscode", () => ({
  window: editor.window,
  EventEmitter: Emitter,
  TreeItem: class {
    public constructor(public readonly label: string) {}
  },
  TreeItemCollapsibleState: { None: 0, Expanded: 2 },
  ThemeIcon: class {
    public constructor(public readonly id: string) {}
  },
  l10n: { t: (message: string) => message },
}));
const { RelatedView } = await import("../../src/ui/related");

const note = (line: number): object => ({
  document: { uri: { scheme: "file", toString: () => `${VAULT}/a.md` }, version: 1 },
  selection: { active: { line, character: 0 } },
});

describe("the related view", () => {
  let asked: { params: RelatedParams; signal: AbortSignal; answer: (result: SearchResult) => void; fail: (error: Error) => void }[];
  let moved: Emitter<{ textEditor: unknown }>;
  let visibility: Emitter<unknown>;
  let view: InstanceType<typeof RelatedView>;

  beforeEach(() => {
    vi.useFakeTimers();
    asked = [];
    moved = new Emitter();
    visibility = new Emitter();
    Object.assign(editor.view, { visible: false, message: "", onDidChangeVisibility: visibility.event });
    Object.assign(editor.window, {
      activeTextEditor: note(3),
      createTreeView: () => editor.view,
      onDidChangeActiveTextEditor: new Emitter().event,
      onDidChangeTextEditorSelection: moved.event,
    });
    const ask = (params: RelatedParams, signal: AbortSignal): Promise<SearchResult> =>
      new Promise((answer, fail) => asked.push({ params, signal, answer, fail }));
    view = new RelatedView(ask, { linkStyle: () => "markdown" } as never);
    return () => {
      view.dispose();
      vi.useRealTimers();
    };
  });

  async function goTo(line: number): Promise<void> {
    editor.window["activeTextEditor"] = note(line);
    moved.fire({ textEditor: editor.window["activeTextEditor"] });
    await vi.advanceTimersByTimeAsync(100);
  }
  async function become(visible: boolean): Promise<void> {
    editor.view["visible"] = visible;
    visibility.fire({ visible });
    await vi.advanceTimersByTimeAsync(1000);
  }
  const rest = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000);
  const titles = (): string[] => view.getChildren().map((node) => (node.kind === "note" ? node.group.title : ""));

  it("does nothing while it is hidden", async () => {
    await goTo(5);
    view.refresh("2");
    await rest();
    expect(asked).toEqual([]);
  });

  it("asks once it is seen, for where the cursor came to rest", async () => {
    await become(true);
    expect(asked.map(({ params }) => params.position?.line)).toEqual([3]);
    for (const line of [4, 5, 6]) await goTo(line);
    await rest();
    expect(asked.map(({ params }) => params.position?.line)).toEqual([3, 6]);
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it("drops what it asked when it is hidden", async () => {
    await become(true);
    await become(false);
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[0]?.answer(aResult());
    await rest();
    expect(titles()).toEqual([]);
  });

  it("keeps what it shows when the cursor is back before it rested elsewhere", async () => {
    await become(true);
    asked[0]?.answer(aResult({ hits: [aHit({ title: "Shown" })] }));
    await rest();
    await goTo(9);
    await goTo(3);
    await rest();
    expect(asked).toHaveLength(1);
    expect(titles()).toEqual(["Shown"]);
  });

  it("asks again where it was after something else failed", async () => {
    await become(true);
    asked[0]?.answer(aResult());
    await rest();
    await goTo(9);
    await rest();
    asked[1]?.fail(new Error("no"));
    await rest();
    expect(titles()).toEqual([]);
    expect(editor.view["message"]).not.toBe("");
    await goTo(3);
    await rest();
    expect(asked).toHaveLength(3);
  });

  it("asks again about the same place when the index moved on", async () => {
    await become(true);
    asked[0]?.answer(aResult());
    await rest();
    view.refresh("2");
    await rest();
    expect(asked).toHaveLength(2);
  });
});
