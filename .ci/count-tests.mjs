// Prints the totals of vitest's JSON reports: `N passed, N failed`, and `, N skipped` when tests were skipped.
// Arguments: the exit status of what wrote the reports, then their paths; a report that was never written is passed over.
import { existsSync, readFileSync } from "node:fs";

const [status, ...paths] = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
for (const path of paths.filter((path) => existsSync(path))) {
  const report = JSON.parse(readFileSync(path, "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += report.numPendingTests + report.numTodoTests;
  // A file that could not even be loaded has no tests to count.
  failed += report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
}
// Set-up, checks or an error outside any test: the exit status is the verdict, so the count must say so as well.
if (status !== "0" && failed === 0) failed = 1;
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
