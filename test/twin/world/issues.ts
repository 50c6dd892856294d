import type { Account, Integration } from "./account.ts";
import type { Comment, Issue, Label, Pull, Reaction, ReactionContent } from "./issue.ts";
import type { Repository } from "./repository.ts";
import type { World } from "./world.ts";

/** What issues and pull requests have in common when they are opened. */
export interface NewIssue {
  readonly title: string;
  readonly body?: string | null;
  readonly author: Account;
  readonly app?: Integration | null;
}

/** Issues, and the part of pull requests that is like issues: comments, labels, reactions. */
export class Issues {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Opens an issue. */
  open(repository: Repository, options: NewIssue): Issue {
    const issue = this.create(repository, options, null);
    this.#world.happened({ event: "issues", action: "opened", issue, sender: options.author });
    return issue;
  }

  /** Makes an issue or, with `pull`, the issue side of a pull request, telling nobody. */
  create(repository: Repository, options: NewIssue, pull: Pull | null): Issue {
    const now = this.#world.clock.iso();
    const issue: Issue = {
      id: this.#world.nextId(),
      number: repository.issues.size + 1,
      repository,
      author: options.author,
      app: options.app ?? null,
      title: options.title,
      body: options.body ?? null,
      editedAt: null,
      renamedAt: null,
      state: "open",
      stateReason: null,
      locked: false,
      labels: [],
      comments: [],
      reactions: [],
      createdAt: now,
      updatedAt: now,
      closedAt: null,
      closedBy: null,
      pull,
    };
    repository.issues.set(issue.number, issue);
    return issue;
  }

  /** Changes title or text of an issue; `editor` may be somebody else than its author. */
  edit(issue: Issue, change: { readonly title?: string; readonly body?: string | null }, editor: Account): void {
    const { title, body } = change;
    const now = this.#world.clock.iso();
    if (title !== undefined && title !== issue.title) Object.assign(issue, { title, renamedAt: now });
    if (body !== undefined && body !== issue.body) Object.assign(issue, { body, editedAt: now });
    this.#touch(issue);
    if (issue.pull === null) this.#world.happened({ event: "issues", action: "edited", issue, sender: editor });
  }

  /** Writes a comment. */
  comment(issue: Issue, author: Account, body: string, app: Integration | null = null): Comment {
    const now = this.#world.clock.iso();
    const comment: Comment = {
      id: this.#world.nextId(),
      issue,
      author,
      app,
      body,
      createdAt: now,
      updatedAt: now,
      editedAt: null,
      reactions: [],
      minimizedReason: null,
    };
    issue.comments.push(comment);
    this.#touch(issue);
    this.#world.happened({ event: "issue_comment", action: "created", comment, sender: author });
    return comment;
  }

  /** Changes a comment; `editor` may be somebody else than its author. */
  editComment(comment: Comment, body: string, editor: Account = comment.author): void {
    const previousBody = comment.body;
    comment.body = body;
    comment.updatedAt = this.#world.clock.iso();
    comment.editedAt = comment.updatedAt;
    this.#world.happened({ event: "issue_comment", action: "edited", comment, previousBody, sender: editor });
  }

  /** Deletes a comment. */
  deleteComment(comment: Comment, sender: Account = comment.author): void {
    comment.issue.comments.splice(comment.issue.comments.indexOf(comment), 1);
    this.#touch(comment.issue);
    this.#world.happened({ event: "issue_comment", action: "deleted", comment, sender });
  }

  /** Closes or opens again an issue (for pull requests: `pulls.close`). */
  setState(issue: Issue, state: Issue["state"], sender: Account, reason: Issue["stateReason"] = null): void {
    if (issue.state === state) return;
    issue.state = state;
    issue.stateReason = reason ?? (state === "closed" ? "completed" : "reopened");
    issue.closedAt = state === "closed" ? this.#world.clock.iso() : null;
    issue.closedBy = state === "closed" ? sender : null;
    this.#touch(issue);
    if (issue.pull !== null) return;
    this.#world.happened({ event: "issues", action: state === "closed" ? "closed" : "reopened", issue, sender });
  }

  /** Reacts to anything that takes reactions; the same reaction of the same user is not added twice. */
  react(
    to: { readonly reactions: Reaction[] },
    user: Account,
    content: ReactionContent,
  ): { reaction: Reaction; added: boolean } {
    const known = to.reactions.find((reaction) => reaction.user.id === user.id && reaction.content === content);
    if (known !== undefined) return { reaction: known, added: false };
    const reaction = { id: this.#world.nextId(), user, content, createdAt: this.#world.clock.iso() };
    to.reactions.push(reaction);
    return { reaction, added: true };
  }

  /** The repository's label of a name, made when there is none, as GitHub does when one is added to an issue. */
  label(repository: Repository, name: string, color = "ededed", description: string | null = null): Label {
    const known = repository.labels.get(name.toLowerCase());
    if (known !== undefined) return known;
    const label = { id: this.#world.nextId(), name, color, description };
    repository.labels.set(name.toLowerCase(), label);
    return label;
  }

  /** The comment of an id in a repository. */
  findComment(repository: Repository, id: number): Comment | undefined {
    return [...repository.issues.values()].flatMap((issue) => issue.comments).find((comment) => comment.id === id);
  }

  #touch(issue: Issue): void {
    issue.updatedAt = this.#world.clock.iso();
  }
}
