/** Opening hits. */

import * as vscode from "vscode";
import { cursorOf, pageOf, pdfOf, placeOf, readOpenArgument } from "../core/places";
import type { Hit, Position, Range } from "../core/protocol";
import { fileName } from "../core/status";
import { inMessage } from "../core/text";
import { viewerOfPages } from "../core/viewers";
import { t } from "./l10n";
import { editorUri, folderNames } from "./uris";

export function toRange(range: Range): vscode.Range {
  return new vscode.Range(toPosition(range.start), toPosition(range.end));
}

export function toPosition({ line, character }: Position): vscode.Position {
  return new vscode.Position(line, character);
}

export interface How {
  readonly column: vscode.ViewColumn;
  readonly preserveFocus: boolean;
  readonly preview: boolean;
}

export const HERE: How = { column: vscode.ViewColumn.Active, preserveFocus: false, preview: false };
export const BESIDE: How = { ...HERE, column: vscode.ViewColumn.Beside };
export const GLANCE: How = { column: vscode.ViewColumn.Active, preserveFocus: true, preview: true };

/**
 * Show a hit's passage in the middle, the cursor where it matches. A PDF opens at its page where a
 * viewer goes there, except for a glance, which is not worth another program. What cannot be opened
 * is told, and thrown where it was for a glance.
 */
export async function openHit(hit: Hit, how: How): Promise<vscode.TextEditor | undefined> {
  const place = placeOf(hit);
  const isGlance = how.preserveFocus;
  if (hit.page !== undefined && (hit.textDocument === undefined || (!isGlance && viewer() !== undefined))) {
    if (!isGlance) await openPdf(hit, how);
    return undefined;
  }
  return show(editorUri(place.uri), place.range, cursorOf(hit), how);
}

/** Open a note where one was in it; what cannot be opened is told. */
export async function openNote(uri: vscode.Uri, column: vscode.ViewColumn): Promise<void> {
  await orTold(uri, () => vscode.window.showTextDocument(uri, { viewColumn: column }));
}

/** Open a PDF at its page. */
export async function openPdf(hit: Hit, how: How): Promise<void> {
  const page = pageOf(hit);
  if (page !== undefined) await openPage(page.uri, page.page, how);
}

/** The command behind links in a hover; its argument may have been written by anyone. */
export async function openArgument(argument: unknown): Promise<void> {
  const place = readOpenArgument(argument, [...folderNames().keys()]);
  if (place === undefined) {
    void vscode.window.showWarningMessage(t("This link leads to no note of an opened folder."));
  } else if (place.page !== undefined && (place.pdf === place.uri || viewer() !== undefined)) {
    await openPage(place.pdf, place.page, HERE);
  } else {
    await show(editorUri(place.uri), place.range, place.range.start, HERE);
  }
}

/** Open the PDF whose readable text is shown. */
export async function openPdfOf(document: vscode.Uri | undefined): Promise<void> {
  const shown = document ?? vscode.window.activeTextEditor?.document.uri;
  const pdf = shown && pdfOf(shown.toString());
  if (pdf !== undefined) await vscode.commands.executeCommand("vscode.open", editorUri(pdf));
}

/** Of the viewers that are installed, the one that goes to a page. */
function viewer(): string | undefined {
  return viewerOfPages((extension) => (vscode.extensions.getExtension(extension)?.packageJSON as { version: string } | undefined)?.version);
}

/** Open it with a viewer that goes to the page; else with whatever the editor opens PDFs with, which is told the page. */
async function openPage(uri: string, page: number, how: How): Promise<void> {
  const target = editorUri(uri).with({ fragment: `page=${page}` });
  const options = { viewColumn: how.column, preview: how.preview };
  const viewType = viewer();
  if (viewType === undefined) await vscode.commands.executeCommand("vscode.open", target, options);
  else await vscode.commands.executeCommand("vscode.openWith", target, viewType, options);
}

function show(uri: vscode.Uri, range: Range, cursor: Position, how: How): Promise<vscode.TextEditor | undefined> {
  const work = (): Promise<vscode.TextEditor> => showAt(uri, range, cursor, how);
  return how.preserveFocus ? work() : orTold(uri, work);
}

/** What was found may be gone by now. */
async function orTold<T>(uri: vscode.Uri, work: () => Thenable<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    void vscode.window.showErrorMessage(t("{0} cannot be opened: it was moved or deleted, or it cannot be read.", inMessage(fileName(uri.toString()))));
    return undefined;
  }
}

async function showAt(uri: vscode.Uri, range: Range, cursor: Position, how: How): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.validatePosition(toPosition(cursor));
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: how.column,
    preserveFocus: how.preserveFocus,
    preview: how.preview,
    selection: new vscode.Selection(at, at),
  });
  const passage = document.validateRange(toRange(range));
  const shown = new vscode.Range(passage.start, at.isAfter(passage.start) ? at : passage.start);
  editor.revealRange(shown, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return editor;
}
