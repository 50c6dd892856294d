import type { EndingCause } from "./ending.ts";
import type { Intake } from "./intake.ts";
import type { FixJob, ReviewJob, Subject } from "./job.ts";

/** What an event, or a command of a person, does to the jobs. */
export type Change =
  /** A commit needs repair: joins, waits, supersedes or is ignored, as `placement` says. */
  | { readonly kind: "fix"; readonly job: FixJob }
  /** The same for a pull request that is to be reviewed. */
  | { readonly kind: "review"; readonly job: ReviewJob }
  /** One event that means more than one thing; in order. */
  | { readonly kind: "several"; readonly changes: readonly Change[] }
  /** Everything is known about a commit, so its job need not wait longer. */
  | { readonly kind: "complete"; readonly repositoryId: number; readonly subject: Subject; readonly sha: string }
  | { readonly kind: "intake"; readonly intake: Intake }
  /** Ends the jobs of a subject, waiting or running. */
  | { readonly kind: "cancel"; readonly repositoryId: number; readonly subject: Subject; readonly cause: EndingCause }
  /** The head of a pull request as it is now: jobs of older commits are superseded. `intake`: what has to be looked at again then. */
  | { readonly kind: "head"; readonly head: PullRequestHead; readonly intake?: Intake }
  /** A comment was deleted: what was asked by it is not asked any more. */
  | {
      readonly kind: "withdraw";
      readonly installationId: number;
      readonly repositoryId: number;
      readonly commentId: number;
    }
  /** The App was removed from repositories: nothing may be called there any more. */
  | {
      readonly kind: "lost";
      readonly installationId: number;
      readonly repositoryIds: readonly number[] | "all";
      /** False for a suspension, which can be lifted: what is remembered stays. */
      readonly forget: boolean;
    }
  /** A person closed a pull request unmerged, or opened it again; it matters only when it is ours. */
  | {
      readonly kind: "refusal";
      readonly repositoryId: number;
      readonly pullRequest: number;
      readonly refused: boolean;
    };

export interface PullRequestHead {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly subject: Subject;
  readonly sha: string;
  /** Null when the event was no push: then only `draft` is news. */
  readonly pushedAt: Date | null;
  readonly openedAt: Date;
  readonly draft: boolean;
}

/** What a change led to. */
export type Effect =
  | { readonly kind: "queued" | "joined"; readonly jobId: string }
  | { readonly kind: "accepted" }
  | { readonly kind: "ignored"; readonly reason: IgnoreReason };

/** Why a request for a job leads to nothing. */
export type IgnoreReason =
  /** The very same delivery, comment or click came before. */
  | "known"
  /** A newer commit is on the branch, or has a job already. */
  | "older-commit"
  /** Something was pushed after the person asked, so it is not sure what they looked at. */
  | "pushed-since"
  | "draft"
  /** A job about the same failure of the same commit has ended. */
  | "handled";
