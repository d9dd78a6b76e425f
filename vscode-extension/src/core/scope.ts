/** What a search looks through, and how. */

import type { Translate } from "./l10n";
import type { Mode, SearchParams } from "./protocol";

export type Scope =
  | { readonly kind: "all" }
  | { readonly kind: "vault"; readonly uri: string; readonly name: string }
  | { readonly kind: "folder"; readonly uri: string; readonly name: string };

/** What the editor has open; URIs. */
export interface Open {
  readonly vaults: readonly { readonly uri: string; readonly name: string }[];
  readonly note: string | undefined;
}

/** The scopes that make a difference here, in the order in which a key goes through them. */
export function scopes(open: Open): readonly Scope[] {
  const all: Scope = { kind: "all" };
  const several = open.vaults.length > 1 ? open.vaults.map(({ uri, name }) => ({ kind: "vault", uri, name }) as const) : [];
  const vault = open.vaults.find(({ uri }) => open.note?.startsWith(`${uri.replace(/\/$/, "")}/`));
  if (vault === undefined || open.note === undefined) return [all, ...several];
  const folder = open.note.slice(0, open.note.lastIndexOf("/"));
  return [
    all,
    ...several.filter(({ uri }) => uri === vault.uri),
    ...(folder === vault.uri.replace(/\/$/, "") ? [] : [{ kind: "folder", uri: folder, name: lastName(folder) } as const]),
  ];
}

export const MODES: readonly Mode[] = ["hybrid", "lexical", "semantic"];

/** The one after this, round and round. */
export function next<T>(all: readonly T[], current: T): T {
  return all[(all.indexOf(current) + 1) % all.length] ?? current;
}

export function scopeName(scope: Scope, t: Translate): string {
  switch (scope.kind) {
    case "all":
      return t("all notes");
    case "vault":
      return t("vault {0}", scope.name);
    case "folder":
      return t("folder {0}", scope.name);
  }
}

export function modeName(mode: Mode, t: Translate): string {
  switch (mode) {
    case "hybrid":
      return t("by words and meaning");
    case "lexical":
      return t("by words only");
    case "semantic":
      return t("by meaning only");
  }
}

export function searchParams(query: string, scope: Scope, mode: Mode, limit: number): SearchParams {
  return { query, limit, mode, ...(scope.kind === "all" ? {} : { folders: [scope.uri] }) };
}

function lastName(uri: string): string {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
