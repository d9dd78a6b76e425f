/** The models that are offered, as docs/how-to/change-the-model.md lists them, and the rows to choose from. */

import type { Translate } from "./l10n";
import type { IndexStatus } from "./protocol";
import { inLabel } from "./text";

interface Model {
  readonly name: string;
  /** The languages it knows. */
  readonly languages: (t: Translate) => string;
  /** What is downloaded, as people write it: "220 MB". */
  readonly size: string;
}

/** A part of the installation. */
export const DEFAULT_MODEL = "all-MiniLM-L6-v2";

/** Those that are downloaded from the network, by size. */
export const DOWNLOADED: readonly Model[] = Object.freeze([
  { name: "BAAI/bge-small-en-v1.5", languages: (t) => t("English"), size: "70 MB" },
  { name: "BAAI/bge-base-en-v1.5", languages: (t) => t("English"), size: "210 MB" },
  { name: "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", languages: (t) => t("some 50 languages"), size: "220 MB" },
  { name: "jinaai/jina-embeddings-v2-base-de", languages: (t) => t("German and English"), size: "640 MB" },
  { name: "jinaai/jina-embeddings-v2-base-es", languages: (t) => t("Spanish and English"), size: "640 MB" },
  { name: "jinaai/jina-embeddings-v2-base-zh", languages: (t) => t("Chinese and English"), size: "640 MB" },
  { name: "intfloat/multilingual-e5-large", languages: (t) => t("some 100 languages"), size: "2.2 GB" },
] satisfies Model[]);

export interface ModelRow {
  /** What the setting is to name; undefined for a model that is not in the list. */
  readonly model: string | undefined;
  readonly isInUse: boolean;
  readonly label: string;
  readonly description?: string;
  readonly detail: string;
}

/**
 * The model that the person chose: by the editor's setting, or, where that is not set, by their
 * `config.toml`, of which only the server knows.
 */
export function modelInUse(setting: string | undefined, statuses: readonly IndexStatus[]): string {
  return setting ?? statuses.find(({ model }) => model.name !== "")?.model.name ?? DEFAULT_MODEL;
}

/** The default, those to download, the one in use where it is none of them, and the way to any other. */
export function modelRows(inUse: string, t: Translate): ModelRow[] {
  const listed = [
    row(DEFAULT_MODEL, inUse, t("English"), t("Part of the installation; nothing is downloaded."), t),
    ...DOWNLOADED.map(({ name, languages, size }) => row(name, inUse, languages(t), t("Downloaded once from the network, {0}.", size), t)),
  ];
  const own = listed.some(({ isInUse }) => isInUse) ? [] : [row(inUse, inUse, "", whatOfOwn(inUse, t), t)];
  const other = { model: undefined, isInUse: false, label: t("$(gear) Another Model or a Folder…"), detail: t("Opens the setting.") };
  return [...listed, ...own, other];
}

/**
 * What to write into the setting for a model; undefined removes it. The default is written only
 * where nothing is to be removed: it is `config.toml` then that names another one.
 */
export function settingFor(model: string, setting: string | undefined): string | undefined {
  return model === DEFAULT_MODEL && setting !== undefined ? undefined : model;
}

function row(name: string, inUse: string, languages: string, detail: string, t: Translate): ModelRow {
  const isInUse = isSame(name, inUse);
  const marks = [languages, isInUse ? t("in use") : ""].filter((mark) => mark !== "");
  return { model: name, isInUse, label: `$(${isInUse ? "check" : "blank"}) ${inLabel(name)}`, description: marks.join("  ·  "), detail };
}

/** The server minds no case in the names of models that it downloads. */
function isSame(name: string, other: string): boolean {
  return name === other || (name !== DEFAULT_MODEL && !isFolder(name) && name.toLowerCase() === other.toLowerCase());
}

function whatOfOwn(name: string, t: Translate): string {
  return isFolder(name) ? t("A folder of your own; nothing is downloaded.") : t("Named in your settings.");
}

/** As the server tells a folder from a name, of either kind of system. */
function isFolder(name: string): boolean {
  return /^(?:[~/\\]|[A-Za-z]:[\\/])/.test(name);
}
