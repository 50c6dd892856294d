import type { CommitSummary } from "../git/commits.ts";
import type { Account, Installation } from "./account.ts";
import type { CheckRun, CheckSuite } from "./check.ts";
import type { Comment, Issue, PullIssue, Review, ReviewComment } from "./issue.ts";
import type { Repository } from "./repository.ts";
import type { Job, WorkflowRun } from "./workflow.ts";

/** A branch that was made, moved or deleted. */
export interface Push {
  readonly repository: Repository;
  /** Fully qualified. */
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly forced: boolean;
  /** Oldest first, at most 20. */
  readonly commits: readonly CommitSummary[];
}

type PullAction =
  | "opened"
  | "synchronize"
  | "closed"
  | "reopened"
  | "edited"
  | "ready_for_review"
  | "converted_to_draft";

/** Something that GitHub sends a webhook for; `sender` is who did it. */
export type Happening = { readonly sender: Account } & (
  | { readonly event: "push"; readonly push: Push }
  | { readonly event: "pull_request"; readonly action: PullAction; readonly pull: PullIssue; readonly before?: string }
  | { readonly event: "issues"; readonly action: "opened" | "closed" | "reopened" | "edited"; readonly issue: Issue }
  | {
      readonly event: "issue_comment";
      readonly action: "created" | "edited" | "deleted";
      readonly comment: Comment;
      readonly previousBody?: string;
    }
  | {
      readonly event: "pull_request_review";
      readonly action: "submitted" | "dismissed";
      readonly pull: PullIssue;
      readonly review: Review;
    }
  | {
      readonly event: "pull_request_review_comment";
      readonly action: "created";
      readonly pull: PullIssue;
      readonly comment: ReviewComment;
    }
  | {
      readonly event: "check_run";
      readonly action: "created" | "completed" | "rerequested" | "requested_action";
      readonly checkRun: CheckRun;
      readonly identifier?: string;
    }
  | {
      readonly event: "check_suite";
      readonly action: "requested" | "rerequested" | "completed";
      readonly suite: CheckSuite;
    }
  | {
      readonly event: "workflow_run";
      readonly action: "requested" | "in_progress" | "completed";
      readonly run: WorkflowRun;
    }
  | {
      readonly event: "workflow_job";
      readonly action: "queued" | "in_progress" | "completed";
      readonly run: WorkflowRun;
      readonly job: Job;
    }
  | {
      readonly event: "installation";
      readonly action: "created" | "deleted" | "suspend" | "unsuspend";
      readonly installation: Installation;
    }
  | {
      readonly event: "installation_repositories";
      readonly action: "added" | "removed";
      readonly installation: Installation;
      readonly repositories: readonly Repository[];
    }
);
