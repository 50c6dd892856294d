import { describeRun } from "../runner/describe-run.ts";
import type { TestRun } from "../runner/report.ts";
import type { SidesRun } from "./run-sides.ts";

/** Something that was run for a review, under the number by which findings refer to it. */
export interface LoggedRun {
  readonly number: number;
  /** What was run, in words. */
  readonly what: string;
  /** The code or the tests that the model asked for; null for Autolith's own runs. */
  readonly input: string | null;
  /** What it showed: only this can be quoted as a fact. */
  readonly output: string;
}

/** The runs of one review. Autolith's own come first. */
export class RunLog {
  readonly #runs: LoggedRun[] = [];

  add(run: Omit<LoggedRun, "number">): LoggedRun {
    const logged = { ...run, number: this.#runs.length + 1 };
    this.#runs.push(logged);
    return logged;
  }

  find(number: number): LoggedRun | undefined {
    return this.#runs.find((run) => run.number === number);
  }

  get all(): readonly LoggedRun[] {
    return this.#runs;
  }
}

/** A log that begins with the suites of both sides. */
export function runLogOf(runs: SidesRun | null): RunLog {
  const log = new RunLog();
  if (runs === null) return log;
  log.add({ what: "all tests on the base", input: null, output: outputOf(runs.base) });
  log.add({ what: "all tests on the head", input: null, output: outputOf(runs.head) });
  if (runs.oldTests !== null) {
    log.add({ what: "the base's tests on the head's code", input: null, output: outputOf(runs.oldTests.run) });
  }
  return log;
}

function outputOf(run: TestRun): string {
  return [describeRun(run, { most: 5 }), run.result.stdout.text, run.result.stderr.text].join("\n");
}
