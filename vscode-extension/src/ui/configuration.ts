/** The settings, as the editor holds them. */

import * as vscode from "vscode";
import type { LinkStyle } from "../core/links";
import { MODES } from "../core/scope";
import type { Mode } from "../core/protocol";
import { forServer, serverCommand, serverSettingNames } from "../core/settings";

export const SECTION = "notekin";

/** Reads settings anew each time: they change while the extension runs. */
export class Configuration {
  private readonly serverSettings: readonly string[];

  public constructor(extension: vscode.Extension<unknown>) {
    this.serverSettings = serverSettingNames(extension.packageJSON);
  }

  public forServer(scope?: vscode.Uri): Record<string, unknown> {
    // Without a scope the editor would take that of the note in front.
    const all = vscode.workspace.getConfiguration(undefined, scope ?? null);
    return forServer(this.serverSettings, (name) => all.get(`${SECTION}.${name}`), all.inspect(SECTION));
  }

  /** Whether a change is about which program is run. */
  public concernsLaunch(event: vscode.ConfigurationChangeEvent): boolean {
    return ["python", "server.command"].some((name) => event.affectsConfiguration(`${SECTION}.${name}`));
  }

  public get python(): string {
    return this.get("python", "").trim();
  }

  public get serverCommand(): ReturnType<typeof serverCommand> {
    return serverCommand(this.get<unknown>("server.command", []));
  }

  public hover(note: vscode.Uri): boolean {
    return vscode.workspace.getConfiguration(SECTION, note).get("hover", true);
  }

  public get suffixes(): readonly string[] {
    return this.get<readonly string[]>("suffixes", []);
  }

  public get scores(): boolean {
    return this.get("ui.scores", false);
  }

  public get preview(): boolean {
    return this.get("ui.preview", true);
  }

  public get limit(): number {
    return this.get("ui.limit", 20);
  }

  public get mode(): Mode {
    const mode = this.get<Mode>("ui.mode", "hybrid");
    return MODES.includes(mode) ? mode : "hybrid";
  }

  /** How links are written in a note, named by its URI; undefined where there is none. */
  public linkStyle(note: string | undefined): LinkStyle {
    const scope = note === undefined ? null : vscode.Uri.parse(note);
    return vscode.workspace.getConfiguration(SECTION, scope).get<LinkStyle>("ui.linkStyle", "markdown") === "wiki" ? "wiki" : "markdown";
  }

  private get<T>(name: string, fallback: T): T {
    return vscode.workspace.getConfiguration(SECTION).get<T>(name, fallback);
  }
}
