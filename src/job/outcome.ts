import type { Patch } from "../checkout/patch.ts";
import type { Limit, Spend } from "../model/budget.ts";
import type { Proof } from "../verify/proof.ts";

/** How a repair ended. `reason` is one line for a person: what was seen, and the next step. */
export type Outcome =
  | { readonly kind: "fixed"; readonly reason: string; readonly repair: Repair }
  | { readonly kind: "exhausted"; readonly limit: Limit; readonly reason: string }
  | { readonly kind: UnrepairedKind; readonly reason: string };

type UnrepairedKind =
  | "not-reproduced"
  | "flaky"
  | "environment"
  | "stuck"
  | "gave-up"
  | "rejected"
  | "cancelled"
  | "infrastructure";

/** A patch that was proven, and what the model says of it. */
export interface Repair {
  readonly patch: Patch;
  /** Id of the proven tree; nothing else may be published or applied. */
  readonly tree: string;
  /** Unified diff in git's format. */
  readonly diff: string;
  readonly rootCause: string;
  readonly summary: string;
  /** Green runs of the target with the patch. */
  readonly greenRuns: number;
}

/** An outcome with what it took. */
export interface FixResult {
  readonly outcome: Outcome;
  /** What the last verification saw; null before anything was verified. */
  readonly proof: Proof | null;
  readonly spend: Spend;
  readonly durationMs: number;
}
