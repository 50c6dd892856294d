import type { Finding } from "../checkout/patch.ts";
import type { Disagreement } from "./agreement.ts";
import type { Bump } from "./bumps.ts";
import type { CallSite } from "./call-site.ts";
import type { Change } from "./change.ts";
import type { Classification } from "./classify-change.ts";
import type { SidesRun } from "./run-sides.ts";

/** Everything that is known of a pull request without a model's word. */
export interface Facts {
  readonly change: Change;
  readonly baseSha: string;
  readonly headSha: string;
  readonly classification: Classification;
  readonly bumps: readonly Bump[];
  /** Where the project calls the packages that it asks for itself; by package. */
  readonly callSites: readonly { readonly name: string; readonly sites: readonly CallSite[] }[];
  readonly disagreements: readonly Disagreement[];
  /** What it does to the tests. */
  readonly testChanges: readonly Finding[];
  /** How the tests are run; null when it is not known. */
  readonly command: string | null;
  /** Null when nothing could be run; then `gap` says why. */
  readonly runs: SidesRun | null;
  /** What was not looked at, for a person; null when everything was. */
  readonly gap: string | null;
  /** Why the packages of the head cannot be installed where those of the base can; null otherwise. */
  readonly brokenInstall: string | null;
  /** A bot whose only business are versions wrote it. */
  readonly isBumpOnly: boolean;
}
