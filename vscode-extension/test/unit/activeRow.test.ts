import { describe, expect, it } from "vitest";
import { ActiveRow } from "../../src/core/activeRow";

/** An editor that shows rows some time after it was given them, and tells of them by their places. */
class Editor {
  private given: readonly string[] = [];
  private active: string | undefined;
  private show: () => void = () => undefined;
  public readonly glances: (string | undefined)[] = [];
  public readonly activeRow = new ActiveRow<string>(
    () => this.active,
    () => new Promise<void>((resolve) => { this.show = resolve; }),
    (row, isNew) => this.glances.push(isNew ? `new ${row ?? "nothing"}` : row),
  );

  public give(rows: readonly string[], meant: string | undefined = rows[0]): void {
    this.given = rows;
    void this.activeRow.replaced(meant);
  }

  public tell(place: number): void {
    this.active = this.given[place];
    this.activeRow.moved();
  }

  public async shows(place = 0): Promise<void> {
    this.tell(place);
    this.show();
    await Promise.resolve();
    await Promise.resolve();
  }
}

describe("The active row", () => {
  it("is the one that the editor names", async () => {
    const editor = new Editor();
    editor.give(["one", "two"]);
    await editor.shows();
    editor.tell(1);
    expect(editor.activeRow.row).toBe("two");
    expect(editor.glances).toEqual(["new one", "two"]);
  });

  it("is that of the new rows before the editor shows them", async () => {
    const editor = new Editor();
    editor.give(["not found", "weak"]);
    await editor.shows();
    editor.give(["found", "another"]);
    expect(editor.activeRow.row).toBe("found");
  });

  it.each([
    { place: 1, why: "names another row" },
    { place: 2, why: "names none" },
  ])("is not what a place in the old rows $why", async ({ place }) => {
    const editor = new Editor();
    editor.give(["told", "first", "second"]);
    await editor.shows();
    editor.give(["found", "another"]);
    editor.tell(place);
    expect(editor.activeRow.row).toBe("found");
    await editor.shows();
    expect(editor.glances).toEqual(["new told", "new found"]);
  });

  it("is that of the last of several lists", async () => {
    const editor = new Editor();
    editor.give(["one"]);
    const before = editor.shows();
    editor.give(["two"]);
    await before;
    expect(editor.activeRow.row).toBe("two");
    expect(editor.glances).toEqual([]);
  });
});
