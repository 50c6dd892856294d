import type { Checkout } from "../checkout/snapshot.ts";
import type { TestRun } from "../runner/report.ts";
import { type RunTestsOptions, runTests } from "../runner/run-tests.ts";
import type { TestCommand } from "../runner/test-command.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import { recordTestRun } from "./record-test-run.ts";

export interface ProvingGroundOptions {
  readonly sandbox: SandboxSession;
  /** The start commit. */
  readonly checkout: Checkout;
  /** The start commit with the patch. */
  readonly patched: Checkout;
  /** What the runs are for, as the trace names them. */
  readonly label: "proof" | "reproduction";
  readonly command: TestCommand;
  /** Limit of one test run, in milliseconds. */
  readonly timeoutMs: number;
  readonly trace: Trace;
}

type Choice = Omit<RunTestsOptions, "timeoutMs">;

/** The fresh container in which a patch is proven: runs the tests on a clean tree with the patch or without it. */
export class ProvingGround {
  readonly #options: ProvingGroundOptions;
  readonly #signal: AbortSignal;

  constructor(options: ProvingGroundOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Runs the tests on a clean workspace without the patch. */
  unpatched(purpose: string, choice: Choice = {}): Promise<TestRun> {
    return this.#onTree(this.#options.checkout, purpose, choice);
  }

  /** Runs the tests on a clean workspace with the patch. */
  patched(purpose: string, choice: Choice = {}): Promise<TestRun> {
    return this.#onTree(this.#options.patched, purpose, choice);
  }

  /** Runs the tests once more on the workspace as the last run left it. */
  async again(purpose: string, choice: Choice = {}): Promise<TestRun> {
    const { sandbox, command, timeoutMs, label, trace } = this.#options;
    const run = await runTests(sandbox, command, { timeoutMs, ...choice }, this.#signal);
    recordTestRun(trace, `${label}: ${purpose}`, run);
    return run;
  }

  async #onTree(tree: Checkout, purpose: string, choice: Choice): Promise<TestRun> {
    await this.#options.sandbox.put(tree.files(), { reset: true }, this.#signal);
    return this.again(purpose, choice);
  }
}
