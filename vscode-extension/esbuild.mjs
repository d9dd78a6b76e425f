// Bundles the extension into one file; `--watch` keeps doing so, with a source map.
import { build, context } from "esbuild";

const watching = process.argv.includes("--watch");
const options = {
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
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
