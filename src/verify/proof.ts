import type { Finding } from "../checkout/patch.ts";

/** What the fresh container showed; also the shape that `--json` prints. */
export interface Proof {
  readonly redBefore: boolean;
  readonly greenAfter: boolean;
  readonly redOnRevert: boolean;
  /** Ids of tests that passed before and fail with the patch. */
  readonly regressions: readonly string[];
  readonly findings: readonly Finding[];
}
