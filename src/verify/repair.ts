import type { Patch } from "../checkout/patch.ts";

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
