// Bundles the extension into two files, a small one that loads the other; `--watch` keeps doing so, with source maps.
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
  await build(options);
}
