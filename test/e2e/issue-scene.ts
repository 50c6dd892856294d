import { readRef } from "../twin/git/refs.ts";
import type { Twin } from "../twin/twin.ts";
import type { Account } from "../twin/world/account.ts";
import type { Comment, Issue } from "../twin/world/issue.ts";
import type { Repository } from "../twin/world/repository.ts";
import { eventually } from "./red-repository.ts";
import type { ReportedBug } from "./reported-bugs.ts";

/** A repository with a green default branch, and an issue about it that a stranger opened. */
export interface IssueScene {
  readonly repository: Repository;
  readonly issue: Issue;
  /** Head of the default branch. */
  readonly sha: string;
  /** May write. */
  readonly ada: Account;
  /** May read. */
  readonly eve: Account;
  /** Comments as Ada, some seconds after everything before. */
  ask(text?: string): Comment;
  /** Waits until the one comment of Autolith's says something, and gives its text. */
  said(what: RegExp): Promise<string>;
}

let made = 0;

/** Makes such a repository in an organisation of its own. */
export async function issueScene(twin: Twin, bug: Pick<ReportedBug, "files" | "title" | "body">): Promise<IssueScene> {
  made += 1;
  const repository = await twin.repositories.add({ owner: `issues-${made}`, name: "project", files: bug.files });
  const ada = twin.accounts.addUser(`writer-${made}`);
  const eve = twin.accounts.addUser(`stranger-${made}`);
  twin.repositories.permit(repository, ada, "write");
  const sha = (await readRef(repository.git, "refs/heads/main")) ?? "";
  const issue = twin.issues.open(repository, { title: bug.title, body: bug.body, author: eve });
  return {
    ...{ repository, issue, sha, ada, eve },
    ask: (text = "/autolith fix") => {
      twin.clock.advance(5_000);
      return twin.issues.comment(issue, ada, text);
    },
    said: (what) => eventually(`a comment that says ${what}`, () => ownComments(issue).find((body) => what.test(body))),
  };
}

/** What Autolith says on an issue. */
export function ownComments({ comments }: Issue): string[] {
  return comments.filter(({ app }) => app !== null).map(({ body }) => body);
}
