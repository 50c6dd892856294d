import { z } from "zod";
import type { GitHub } from "./octokit.ts";
import type { Repository } from "./repository.ts";

/** A comment of a person, as it stands. */
export interface IssueComment {
  /** The author's present login. */
  readonly login: string;
  readonly text: string;
  readonly createdAt: Date;
  /** Null when nobody ever changed it. */
  readonly editedAt: Date | null;
}

/** An issue as it stands. */
export interface Issue {
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
  readonly isLocked: boolean;
  /** When title or text were last changed by anybody; null when they never were. */
  readonly editedAt: Date | null;
  /** The latest comments of people, oldest first, without those that were hidden. Bots are left out. */
  readonly comments: readonly IssueComment[];
}

/** Comments that are looked through. */
const commentsRead = 100;

/** REST tells of no edits. https://docs.github.com/en/graphql/reference/objects#issue */
const query = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    nameWithOwner
    issue(number: $number) {
      title body state locked lastEditedAt
      timelineItems(last: 1, itemTypes: [RENAMED_TITLE_EVENT]) { nodes { ... on RenamedTitleEvent { createdAt } } }
      comments(last: ${commentsRead}) {
        nodes { body createdAt lastEditedAt isMinimized author { __typename login } }
      }
    }
  }
}`;

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const author = z.object({ __typename: z.string(), login: z.string() });

const comment = z.object({
  body: z.string(),
  createdAt: moment,
  lastEditedAt: moment.nullable(),
  isMinimized: z.boolean(),
  author: author.nullable(),
});

const answerSchema = z.object({
  repository: z.object({
    nameWithOwner: z.string(),
    issue: z.object({
      title: z.string(),
      body: z.string(),
      state: z.string(),
      locked: z.boolean(),
      lastEditedAt: moment.nullable(),
      timelineItems: z.object({ nodes: z.array(z.object({ createdAt: moment.optional() }).nullable()) }),
      comments: z.object({ nodes: z.array(comment.nullable()) }),
    }),
  }),
});

/** Reads an issue of the repository; null when it was deleted or moved away, or is none. */
export async function readIssue(
  github: GitHub,
  repository: Repository,
  number: number,
  signal: AbortSignal,
): Promise<Issue | null> {
  const { owner, name } = repository;
  const answer = await ask(github, { owner, name, number }, signal);
  if (answer === null) return null;
  const { nameWithOwner, issue } = answerSchema.parse(answer).repository;
  if (nameWithOwner.toLowerCase() !== `${owner}/${name}`.toLowerCase()) return null;
  const { title, body, state, locked: isLocked } = issue;
  const edits = [issue.lastEditedAt, ...issue.timelineItems.nodes.map((node) => node?.createdAt ?? null)];
  return {
    ...{ title, body, isLocked },
    isOpen: state === "OPEN",
    editedAt: latest(edits),
    comments: issue.comments.nodes.flatMap((node) => (node === null ? [] : ofPerson(node))),
  };
}

async function ask(
  github: GitHub,
  variables: { readonly owner: string; readonly name: string; readonly number: number },
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await github.graphql(query, { ...variables, request: { signal } });
  } catch (error) {
    const errors = error instanceof Error && "errors" in error && Array.isArray(error.errors) ? error.errors : [];
    if (errors.some((each: { type?: string }) => each.type === "NOT_FOUND")) return null;
    throw error;
  }
}

function ofPerson({ author, body, createdAt, lastEditedAt, isMinimized }: z.output<typeof comment>): IssueComment[] {
  if (isMinimized || author?.__typename !== "User") return [];
  return [{ login: author.login, text: body, createdAt, editedAt: lastEditedAt }];
}

function latest(moments: readonly (Date | null)[]): Date | null {
  const times = moments.flatMap((each) => (each === null ? [] : [each.getTime()]));
  return times.length === 0 ? null : new Date(Math.max(...times));
}
