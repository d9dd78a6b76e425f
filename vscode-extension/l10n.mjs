// Writes l10n/bundle.l10n.json, the sentences that translators begin with, from the source.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const sentences = sources.flatMap((file) =>
  [...readFileSync(`src/${file}`, "utf8").matchAll(/\bt\(\s*"((?:[^"\\]|\\.)*)"/g)].map((match) => JSON.parse(`"${match[1]}"`)),
);
const bundle = Object.fromEntries([...new Set(sentences)].sort().map((sentence) => [sentence, sentence]));
writeFileSync("l10n/bundle.l10n.json", JSON.stringify(bundle, null, 2) + "\n");
