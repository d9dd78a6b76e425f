import * as vscode from "vscode";

/** A fact that keybindings, menus and views of package.json depend on. */
export class ContextKey {
  private value: string | boolean | undefined;

  public constructor(private readonly name: string) {}

  public become(value: string | boolean): void {
    if (value === this.value) return;
    this.value = value;
    void vscode.commands.executeCommand("setContext", this.name, value);
  }
}
