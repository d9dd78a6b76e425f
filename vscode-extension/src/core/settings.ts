/** What of the editor's settings the server is told. */

/** What the person and the workspace set in a section, as trees: the editor tells of a section as quickly as of one setting. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** The settings of the server that this editor knows; generated into package.json. */
export function serverSettingNames(packageJson: unknown): string[] {
  const blocks = (packageJson as { contributes: { configuration: { id: string; properties: Record<string, unknown> }[] } }).contributes
    .configuration;
  const block = blocks.find(({ id }) => id === "notekin.server-settings");
  return Object.keys(block?.properties ?? {}).map((name) => name.replace(/^notekin\./, ""));
}

/**
 * The server's settings as a tree. Only what somebody set: a default of this editor would hide
 * what the person wrote into `config.toml`.
 */
export function forServer(
  settingNames: readonly string[],
  value: (name: string) => unknown,
  section: Inspected | undefined,
): Record<string, unknown> {
  const trees = [section?.globalValue, section?.workspaceValue, section?.workspaceFolderValue];
  const tree: Record<string, unknown> = {};
  for (const name of settingNames) {
    const path = name.split(".");
    if (trees.some((set) => at(set, path) !== undefined)) put(tree, path, value(name));
  }
  // The picker of VS Code filters by name and would drop what was found by meaning.
  return { ...tree, workspaceSymbols: false };
}

function at(tree: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, name) => (typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[name] : undefined), tree);
}

function put(tree: Record<string, unknown>, [first, ...rest]: readonly string[], value: unknown): void {
  if (first === undefined) return;
  if (rest.length === 0) {
    tree[first] = value;
    return;
  }
  const inner = (tree[first] ??= {}) as Record<string, unknown>;
  put(inner, rest, value);
}

/** The command that the person named instead of the private environment; undefined for none. */
export function serverCommand(value: unknown): { program: string; parameters: string[] } | undefined {
  const words: unknown[] = Array.isArray(value) ? value : typeof value === "string" && value.trim() !== "" ? [value.trim()] : [];
  const [program, ...parameters] = words.filter((word): word is string => typeof word === "string" && word !== "");
  if (program === undefined) return undefined;
  return { program, parameters: parameters.length === 0 ? ["lsp"] : parameters };
}
