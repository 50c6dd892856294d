import type { z } from "zod";
import type { Finding, Patch } from "../../checkout/patch.ts";
import type { Checkout } from "../../checkout/snapshot.ts";
import type { TestRun } from "../../runner/report.ts";
import type { SandboxSession } from "../../sandbox/sandbox.ts";
import type { Target } from "../../verify/target.ts";
import type { Observation } from "../observation.ts";

/** What tools work on; one per loop. */
export interface Workspace {
  readonly session: SandboxSession;
  readonly checkout: Checkout;
  readonly target: Target;
  /** Limit of one execution or shell command, in milliseconds. */
  readonly executionMs: number;
  /** Limit of one test run, in milliseconds. */
  readonly testRunMs: number;
  /** Paths that `edit_file` created; only these may join the patch besides tracked files. */
  readonly created: Set<string>;
  /** Holds changes against the rules that need no run. */
  readonly judge: (patch: Patch) => Promise<readonly Finding[]>;
  /** Findings of edits that were refused, to be listed with the outcome. */
  readonly refusedEdits: Finding[];
  /** Epoch that the live runtimes were last seen in. */
  epoch: number;
  /** The last run of tests in this iteration, for the governor. */
  lastTestRun: TestRun | null;
  /** True once anything ran that may have changed the workspace. */
  touched: boolean;
  /** True when the whole target was seen green in a workspace that nothing had touched. */
  greenUntouched: boolean;
}

/** A tool that works on the workspace. A tool never throws for what the model asked; only for broken infrastructure. */
export interface Tool<Arguments> {
  readonly name: string;
  readonly description: string;
  readonly arguments: z.ZodType<Arguments>;
  /** True for tools that may change the workspace. */
  readonly touches: boolean;
  run(args: Arguments, workspace: Workspace, signal: AbortSignal): Promise<Observation>;
}
