import { writeCommit } from "../git/commits.ts";
import { mergedTree } from "../git/differences.ts";
import { readRef, ZERO_SHA } from "../git/refs.ts";
import type { Account } from "./account.ts";
import { identityOf, MERGER } from "./commit-identity.ts";
import type { Issue, Pull, PullIssue, Review, ReviewComment } from "./issue.ts";
import type { NewIssue } from "./issues.ts";
import { updateFromGit } from "./pull-git.ts";
import type { Repository } from "./repository.ts";
import type { World } from "./world.ts";

/** A pull request to open. */
export interface NewPull extends Omit<NewIssue, "title"> {
  readonly title?: string;
  readonly head: string;
  /** The default branch by default. */
  readonly base?: string;
  /** The repository of the head: a fork, or by default the same one. */
  readonly from?: Repository;
  readonly draft?: boolean;
  readonly maintainerCanModify?: boolean;
}

/** Pull requests. */
export class Pulls {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Opens a pull request. @throws Error when a branch is missing */
  async open(repository: Repository, options: NewPull): Promise<PullIssue> {
    const from = options.from ?? repository;
    const base = options.base ?? repository.defaultBranch;
    const headSha = await readRef(from.git, `refs/heads/${options.head}`);
    const baseSha = await readRef(repository.git, `refs/heads/${base}`);
    if (headSha === undefined || baseSha === undefined)
      throw new Error(`no branch ${options.head} or no branch ${base}`);
    const pull: Pull = {
      id: this.#world.nextId(),
      head: { repository: from, owner: from.owner, ref: options.head, sha: headSha },
      base: { ref: base, sha: baseSha },
      draft: options.draft ?? false,
      mergedAt: null,
      mergedBy: null,
      mergeCommitSha: null,
      mergeable: null,
      maintainerCanModify: options.maintainerCanModify ?? false,
      size: { commits: 0, additions: 0, deletions: 0, changedFiles: 0 },
      reviews: [],
      reviewComments: [],
    };
    const issue = this.#world.issues.create(
      repository,
      { ...options, title: options.title ?? options.head },
      pull,
    ) as PullIssue;
    await updateFromGit(issue);
    this.#world.happened({ event: "pull_request", action: "opened", pull: issue, sender: options.author });
    return issue;
  }

  /** Closes a pull request without merging it, or opens it again. */
  setState(issue: PullIssue, state: Issue["state"], sender: Account): void {
    if (issue.state === state) return;
    this.#world.issues.setState(issue, state, sender);
    issue.stateReason = null;
    this.#world.happened({
      event: "pull_request",
      action: state === "closed" ? "closed" : "reopened",
      pull: issue,
      sender,
    });
  }

  /** Merges a pull request with a merge commit, as the button does. @throws Error on conflicts */
  async merge(issue: PullIssue, sender: Account): Promise<string> {
    const { git } = issue.repository;
    const { head, base } = issue.pull;
    const tree = await mergedTree(git, base.sha, head.sha);
    if (tree === undefined) throw new Error(`pull request #${issue.number} has conflicts`);
    const author = { ...identityOf(sender), date: this.#world.clock.iso() };
    const committer = { ...MERGER, date: author.date };
    const message = `Merge pull request #${issue.number} from ${head.owner.login}/${head.ref}\n\n${issue.title}`;
    const sha = await writeCommit(git, { tree, parents: [base.sha, head.sha], author, committer, message });
    issue.repository.verifiedCommits.add(sha);
    const before = base.sha;
    Object.assign(issue.pull, { mergedAt: this.#world.clock.iso(), mergedBy: sender, mergeCommitSha: sha });
    this.setState(issue, "closed", sender);
    await this.#world.repositories.branches.move(issue.repository, base.ref, before, sha, sender, "pr_merge");
    return sha;
  }

  /** Turns a draft into a real pull request or back. */
  setDraft(issue: PullIssue, draft: boolean, sender: Account): void {
    if (issue.pull.draft === draft) return;
    issue.pull.draft = draft;
    this.#world.happened({
      event: "pull_request",
      action: draft ? "converted_to_draft" : "ready_for_review",
      pull: issue,
      sender,
    });
  }

  /** Adds a review with its comments, which must have been checked. */
  review(
    issue: PullIssue,
    review: Omit<Review, "id" | "submittedAt" | "minimizedReason">,
    comments: readonly Omit<ReviewComment, "id" | "reviewId" | "createdAt" | "reactions" | "author">[],
  ): Review {
    const submittedAt = review.state === "PENDING" ? null : this.#world.clock.iso();
    const added: Review = { ...review, id: this.#world.nextId(), submittedAt, minimizedReason: null };
    issue.pull.reviews.push(added);
    for (const comment of comments)
      this.addReviewComment(issue, { ...comment, author: review.author, reviewId: added.id });
    if (submittedAt !== null)
      this.#world.happened({
        event: "pull_request_review",
        action: "submitted",
        pull: issue,
        review: added,
        sender: review.author,
      });
    return added;
  }

  /** Takes a review's verdict back; its text stays. */
  dismissReview(issue: PullIssue, review: Review, sender: Account): void {
    review.state = "DISMISSED";
    this.#world.happened({ event: "pull_request_review", action: "dismissed", pull: issue, review, sender });
  }

  /** Adds one comment on the difference. */
  addReviewComment(issue: PullIssue, comment: Omit<ReviewComment, "id" | "createdAt" | "reactions">): ReviewComment {
    const added: ReviewComment = {
      ...comment,
      id: this.#world.nextId(),
      createdAt: this.#world.clock.iso(),
      reactions: [],
    };
    issue.pull.reviewComments.push(added);
    this.#world.happened({
      event: "pull_request_review_comment",
      action: "created",
      pull: issue,
      comment: added,
      sender: comment.author,
    });
    return added;
  }

  /** Brings pull requests up to date after a branch moved: a new head is a synchronize, a deleted one a close. */
  async branchMoved(
    repository: Repository,
    branch: string,
    before: string,
    after: string,
    sender: Account,
  ): Promise<void> {
    for (const issue of this.withHeadIn(repository)) {
      if (issue.pull.head.ref !== branch || issue.state === "closed") continue;
      if (after === ZERO_SHA) this.setState(issue, "closed", sender);
      else await this.#synchronize(issue, before, after, sender);
    }
    for (const issue of this.of(repository)) {
      if (issue.pull.base.ref !== branch || issue.state === "closed") continue;
      if (after === ZERO_SHA) this.setState(issue, "closed", sender);
      else await this.#baseMoved(issue, after);
    }
  }

  /** The pull requests of a repository. */
  of(repository: Repository): PullIssue[] {
    return [...repository.issues.values()].filter((issue): issue is PullIssue => issue.pull !== null);
  }

  /** The pull requests, of any repository, whose head branch is in this one. */
  withHeadIn(repository: Repository): PullIssue[] {
    const pulls = this.#world.repositories.all().flatMap((other) => this.of(other));
    return pulls.filter((issue) => issue.pull.head.repository?.id === repository.id);
  }

  async #baseMoved(issue: PullIssue, sha: string): Promise<void> {
    issue.pull.base.sha = sha;
    await updateFromGit(issue);
  }

  async #synchronize(issue: PullIssue, before: string, after: string, sender: Account): Promise<void> {
    issue.pull.head.sha = after;
    issue.updatedAt = this.#world.clock.iso();
    await updateFromGit(issue);
    this.#world.happened({ event: "pull_request", action: "synchronize", pull: issue, before, sender });
  }
}
