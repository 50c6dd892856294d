import type { TestRun } from "../runner/report.ts";

/** A run in a few words: `12 passed, 1 failed`, or how its process ended. */
export function summaryOfRun({ result, report }: TestRun): string {
  const ending = {
    exited: result.exitCode === 0 ? "exit status 0" : `exit status ${result.exitCode}`,
    timeout: "stopped at the time limit",
    oom: "out of memory",
    "output-limit": "stopped, it wrote too much",
    signalled: `killed by ${result.signal}`,
    interrupted: "interrupted",
    lost: "lost",
  }[result.status];
  if (report === null) return ending;
  const count = (...statuses: string[]) => report.tests.filter(({ status }) => statuses.includes(status)).length;
  const parts: [number, string][] = [
    [count("passed", "xpassed"), "passed"],
    [count("failed", "error"), "failed"],
    [count("skipped", "xfailed"), "skipped"],
  ];
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  if (said.length === 0) return `no test ran, ${ending}`;
  // A run that ends badly although no test failed is red all the same.
  const isOdd = count("failed", "error") === 0 && (result.status !== "exited" || result.exitCode !== 0);
  return isOdd || !report.complete ? `${said.join(", ")}, ${ending}` : said.join(", ");
}
