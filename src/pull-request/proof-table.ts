import type { TraceRecord } from "../trace/event.ts";
import { codeSpan } from "./neutralise.ts";

type Run = Extract<TraceRecord, { type: "test-run" }>;

const prefix = "proof: ";

/** The runs of the last verification as a table; what a reader checks before anything else. */
export function proofTable(records: readonly TraceRecord[]): string {
  const runs = lastProof(records);
  const rows = [
    row("without the patch", pick(runs, "without the patch"), "red"),
    row("with the patch", pick(runs, "with the patch"), "green"),
    orderRow(runs),
    ...againRows(runs),
  ];
  return ["| in a fresh container | result | tests |", "|---|---|---|", ...rows.filter((each) => each !== null)].join(
    "\n",
  );
}

/** The runs since the last proof began. */
function lastProof(records: readonly TraceRecord[]): Run[] {
  const start = records.findLastIndex((record) => record.type === "stage-started" && record.stage === "proof");
  return records
    .slice(start)
    .filter((record): record is Run => record.type === "test-run" && record.purpose.startsWith(prefix));
}

function pick(runs: readonly Run[], purpose: string): Run | undefined {
  return runs.find((run) => run.purpose === `${prefix}${purpose}`);
}

function row(name: string, run: Run | undefined, word: string): string | null {
  return run === undefined ? null : `| ${name} | ${word} | ${counts(run)} |`;
}

/** What was chosen because it failed: with the patch, and with the patch taken back. */
function againRows(runs: readonly Run[]): (string | null)[] {
  const repeats = runs.filter((run) => run.purpose.startsWith(`${prefix}run `));
  const reverted = pick(runs, "patch taken back");
  const [first] = repeats;
  if (first === undefined) return [row("patch taken back", reverted, "red")];
  const what = whatRan(first, pick(runs, "without the patch"));
  return [
    `| ${what}, ${timesMore(repeats.length)} | green | ${counts(first)} each time |`,
    row("the same with the patch taken back", reverted, "red"),
  ];
}

/** Some runners choose files only, and other tests of those run along. */
function whatRan(repeat: Run, red: Run | undefined): string {
  if (repeat.passed === null) return "the command";
  return red !== undefined && repeat.passed > red.failing.length
    ? "the files of the failing tests"
    : "the failing tests";
}

function orderRow(runs: readonly Run[]): string | null {
  const orders = runs.filter((run) => /^proof: order \d+$/.test(run.purpose));
  if (orders.length === 0) return null;
  const what = orders.length === 1 ? "another order" : `${orders.length} other orders`;
  return `| all tests in ${what} | green | ${counts(orders[0])} each time |`;
}

function timesMore(times: number): string {
  return times === 1 ? "once more" : `${times} times more`;
}

function counts(run: Run | undefined): string {
  if (run === undefined) return "";
  if (run.passed === null) return `exit status ${run.exitCode ?? run.status}`;
  const [first] = run.failing;
  const failing = first === undefined ? "" : `: ${codeSpan(first, 90)}`;
  const more = run.failing.length > 1 ? ` and ${run.failing.length - 1} more` : "";
  return `${run.passed} passed, ${run.failing.length} failed${failing.replace(/\|/g, "\\|")}${more}`;
}
