import { defineConfig } from "vitest/config";

// Set by a CI run, which counts the tests of all suites together.
const report = process.env["E2E_REPORT"];
// Measures instead of testing, over this vault.
const vault = process.env["NOTEKIN_BENCH_VAULT"];

export default defineConfig({
  test: {
    include: [`test/e2e/${vault === undefined ? "features" : "bench"}/*.test.ts`],
    globalSetup: ["test/e2e/setup/global.ts"],
    environment: "node",
    // Each file has a Code and a browser of its own, which want the machine for themselves.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    reporters: report === undefined ? ["verbose"] : ["verbose", ["junit", { outputFile: report }]],
  },
});
