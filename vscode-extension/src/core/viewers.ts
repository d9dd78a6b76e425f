/** Viewers of PDFs that go to a page. */

/** One that shows the page which the fragment of a URI names, as in `#page=7`. */
export interface Viewer {
  /** The extension that brings it. */
  readonly extension: string;
  /** The first version that goes to the page. */
  readonly since: string;
  readonly viewType: string;
}

/** Those of which it is known; any other viewer is told the page as well, and shows what it likes. */
const VIEWERS: readonly Viewer[] = [{ extension: "mathematic.vscode-pdf", since: "0.2.2", viewType: "pdf.view" }];

/** The view type to open a PDF with at a page; `installed` gives an extension's version. */
export function viewerOfPages(installed: (extension: string) => string | undefined): string | undefined {
  return VIEWERS.find(({ extension, since }) => isAtLeast(installed(extension), since))?.viewType;
}

function isAtLeast(version: string | undefined, wanted: string): boolean {
  return version !== undefined && version.localeCompare(wanted, "en", { numeric: true }) >= 0;
}
