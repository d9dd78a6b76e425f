import * as vscode from "vscode";
import type { Translate } from "../core/l10n";

/** The editor's translation of a sentence. */
export const t: Translate = (message, ...values) => vscode.l10n.t(message, ...values);
