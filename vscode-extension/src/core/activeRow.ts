/** Which row of a list Enter means while the editor may still show the rows before. */

/**
 * The editor names rows by their places. What it tells between the moment in which new rows are given
 * to it and the one in which it shows them is about the places of the old ones: another row of the new,
 * or none. Until then the row that `replaced` names is the active one, afterwards the editor's.
 */
export class ActiveRow<Row> {
  private isShown = true;
  private meant: Row | undefined;
  private nLists = 0;

  public constructor(
    private readonly ofEditor: () => Row | undefined,
    /** Ends once the editor shows what it was given before. */
    private readonly untilShown: () => Promise<unknown>,
    /** `isNew`: with new rows, and not because the person moved. */
    private readonly changed: (row: Row | undefined, isNew: boolean) => void,
  ) {}

  public get row(): Row | undefined {
    return this.isShown ? this.ofEditor() : this.meant;
  }

  /** The editor was given new rows, and will make this one active. */
  public async replaced(meant: Row | undefined): Promise<void> {
    const list = ++this.nLists;
    this.isShown = false;
    this.meant = meant;
    await this.untilShown();
    if (list !== this.nLists) return;
    this.isShown = true;
    this.changed(this.row, true);
  }

  /** The editor told that its active row is another one. */
  public moved(): void {
    if (this.isShown) this.changed(this.row, false);
  }
}
