/** A stand-in for a viewer of PDFs: it shows the fragment of the URI that it is given. */

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const MANIFEST = {
  name: "vscode-pdf",
  publisher: "mathematic",
  version: "0.2.2",
  engines: { vscode: "^1.91.0" },
  main: "./extension.js",
  contributes: {
    customEditors: [{ viewType: "pdf.view", displayName: "PDF", selector: [{ filenamePattern: "*.pdf" }], priority: "option" }],
  },
};

const PROGRAM = `
const { window } = require("vscode");
exports.activate = ({ subscriptions }) => {
  subscriptions.push(window.registerCustomEditorProvider("pdf.view", {
    openCustomDocument: (uri) => ({ uri, dispose() {} }),
    resolveCustomEditor: ({ uri }, panel) => { panel.title = "Viewer of " + uri.fragment; },
  }));
};
`;

/** Write the extension into a folder. */
export async function writeViewer(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(path.join(folder, "package.json"), JSON.stringify(MANIFEST));
  await writeFile(path.join(folder, "extension.js"), PROGRAM);
}
