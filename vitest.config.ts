import { defineConfig } from "vitest/config";

/** A file for the results as JSON, beside what is printed; CI counts from it. */
const report = process.env["TEST_REPORT"];

export default defineConfig({
  test: {
    dir: "test",
    exclude: ["**/node_modules/**", "**/demo/repositories/**", "**/fixtures/**"],
    pool: "forks",
    // Tests start containers and daemons: more files at once than that only make each other slow.
    fileParallelism: true,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
  },
});
