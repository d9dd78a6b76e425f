import { defineConfig } from "vitest/config";

// Set by a CI run, which counts the tests of all suites together.
const report = process.env["E2E_REPORT"];

export default defineConfig({
  test: {
    include: ["test/e2e/features/*.test.ts"],
    globalSetup: ["test/e2e/setup/global.ts"],
    environment: "node",
    // Each file has a Code and a browser of its own, which want the machine for themselves.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    reporters: report === undefined ? ["verbose"] : ["verbose", ["junit", { outputFile: report }]],
  },
});
