import type { Finding } from "../checkout/patch.ts";

export type Limit = "iterations" | "tokens" | "cost" | "time";

/** What the fresh container showed. */
export interface Proof {
  readonly redBefore: boolean;
  readonly greenAfter: boolean;
  readonly redOnRevert: boolean;
  /** Ids of tests that passed before and fail with the patch. */
  readonly regressions: readonly string[];
  readonly findings: readonly Finding[];
}

/** How a job ended. `reason` is one line for a person: what was seen, and the next step. */
export type OutcomeKind =
  | "opened"
  | "suggested"
  | "fixed"
  | "not-reproduced"
  | "flaky"
  | "red-on-base"
  | "environment"
  | "exhausted"
  | "stuck"
  | "gave-up"
  | "rejected"
  | "stale"
  | "cancelled"
  | "infrastructure";
