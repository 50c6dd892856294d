import type { Limit, Spend } from "../model/budget.ts";
import type { Proof } from "../verify/proof.ts";
import type { Repair } from "../verify/repair.ts";

/** How a repair ended. `reason` is one line for a person: what was seen, and the next step. */
export type Outcome =
  | { readonly kind: "fixed"; readonly reason: string; readonly repair: Repair }
  | { readonly kind: "exhausted"; readonly limit: Limit; readonly reason: string }
  /** `mayPass`: it can be another thing in a minute. A model's endpoint was given that time already. */
  | { readonly kind: "infrastructure"; readonly reason: string; readonly mayPass: boolean }
  | { readonly kind: UnrepairedKind; readonly reason: string };

type UnrepairedKind =
  | "not-reproduced"
  | "flaky"
  | "red-on-base"
  | "environment"
  | "stuck"
  | "gave-up"
  | "rejected"
  | "cancelled";

/** An outcome with what it took. */
export interface FixResult {
  readonly outcome: Outcome;
  /** What the last verification saw; null before anything was verified. */
  readonly proof: Proof | null;
  readonly spend: Spend;
  readonly durationMs: number;
}
