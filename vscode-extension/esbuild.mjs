// Bundles the extension into two files, a small one that loads the other; `--watch` keeps doing so, with source maps.
import { mkdir, writeFile } from "node:fs/promises";
import { build, context } from "esbuild";

const watching = process.argv.includes("--watch");
const options = {
  entryPoints: { extension: "src/entry.ts", main: "src/extension.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  // The language client is published as CommonJS and as typings; the fields say which to bundle.
  mainFields: ["module", "main"],
  minify: !watching,
  sourcemap: watching,
  legalComments: "none",
  logLevel: "warning",
};

if (watching) {
  await (await context(options)).watch();
} else {
  const { outputFiles } = await build({ ...options, write: false });
  await mkdir(options.outdir, { recursive: true });
  await Promise.all(outputFiles.map(({ path, text }) => writeFile(path, withoutCopies(text))));
}

/**
 * Each file that imports all of VS Code's names gets a copy of them, as imports of CommonJS are said to: some forty copies of
 * four hundred names, while the editor starts. The module itself serves as well: nobody asks for its `default`.
 */
function withoutCopies(bundle) {
  return bundle.replaceAll(/[\w$]+\((require\("vscode"\))\)/g, "$1");
}
