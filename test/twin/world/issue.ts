import type { Account, Integration } from "./account.ts";
import type { Repository } from "./repository.ts";

/** The eight reactions that GitHub knows. */
export type ReactionContent = "+1" | "-1" | "laugh" | "confused" | "heart" | "hooray" | "rocket" | "eyes";

/** One reaction; a user has at most one of each content on a thing. */
export interface Reaction {
  readonly id: number;
  readonly user: Account;
  readonly content: ReactionContent;
  readonly createdAt: string;
}

/** A label of a repository. */
export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

/** A comment in the conversation of an issue or a pull request. */
export interface Comment {
  readonly id: number;
  readonly issue: Issue;
  readonly author: Account;
  /** The app that wrote it, when one did. */
  readonly app: Integration | null;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
  /** When the text was last changed. */
  editedAt: string | null;
  readonly reactions: Reaction[];
  /** Set by minimizeComment: the classifier in lower case, as the API shows it. */
  minimizedReason: string | null;
}

/** An issue; with `pull`, a pull request, which shares the numbering. */
export interface Issue {
  readonly id: number;
  readonly number: number;
  readonly repository: Repository;
  readonly author: Account;
  readonly app: Integration | null;
  title: string;
  body: string | null;
  /** When the text was last changed, and the title. */
  editedAt: string | null;
  renamedAt: string | null;
  state: "open" | "closed";
  stateReason: "completed" | "reopened" | "not_planned" | "duplicate" | null;
  locked: boolean;
  readonly labels: Label[];
  readonly comments: Comment[];
  readonly reactions: Reaction[];
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  closedBy: Account | null;
  readonly pull: Pull | null;
}

/** An issue that is known to be a pull request. */
export type PullIssue = Issue & { readonly pull: Pull };

/** The part of a pull request that an issue lacks. */
export interface Pull {
  readonly id: number;
  /** `repository` becomes null when the fork is deleted. */
  readonly head: { repository: Repository | null; readonly owner: Account; readonly ref: string; sha: string };
  readonly base: { ref: string; sha: string };
  draft: boolean;
  mergedAt: string | null;
  mergedBy: Account | null;
  mergeCommitSha: string | null;
  /** null while GitHub has not worked it out, false on conflicts. */
  mergeable: boolean | null;
  maintainerCanModify: boolean;
  size: { commits: number; additions: number; deletions: number; changedFiles: number };
  readonly reviews: Review[];
  readonly reviewComments: ReviewComment[];
}

/** A review of a pull request. */
export interface Review {
  readonly id: number;
  readonly author: Account;
  body: string;
  state: "PENDING" | "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  readonly commitId: string;
  submittedAt: string | null;
  /** Set by minimizeComment: the classifier in lower case, as the API shows it. */
  minimizedReason: string | null;
}

/** A comment on lines of a pull request's difference. */
export interface ReviewComment {
  readonly id: number;
  readonly reviewId: number | null;
  readonly author: Account;
  body: string;
  readonly path: string;
  readonly line: number | null;
  readonly side: "LEFT" | "RIGHT";
  readonly startLine: number | null;
  readonly startSide: "LEFT" | "RIGHT" | null;
  readonly subjectType: "line" | "file";
  readonly diffHunk: string;
  readonly commitId: string;
  readonly inReplyTo: number | null;
  readonly createdAt: string;
  readonly reactions: Reaction[];
}
