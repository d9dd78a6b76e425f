import { defineConfig } from "vitest/config";

// Set by a CI run, which counts the tests of all suites together.
const report = process.env["VITEST_REPORT"];

export default defineConfig({
  test: {
    include: ["test/unit/**/*.test.ts"],
    environment: "node",
    reporters: report === undefined ? ["default"] : ["default", ["junit", { outputFile: report }]],
  },
});
