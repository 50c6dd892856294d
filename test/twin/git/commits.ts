import type { BareRepository } from "./bare-repository.ts";

/** Who, and when, in a commit. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** ISO 8601, in whole seconds. */
  readonly date: string;
}

/** What a commit object says. */
export interface CommitSummary {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** What to write into a new commit. */
export type NewCommit = Omit<CommitSummary, "sha">;

const FORMAT = ["%H", "%T", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B"].join("%x1f");

/** Writes a commit object, moving no ref, and gives its SHA. */
export function writeCommit(git: BareRepository, commit: NewCommit): Promise<string> {
  const parents = commit.parents.flatMap((parent) => ["-p", parent]);
  const env = {
    GIT_AUTHOR_NAME: commit.author.name,
    GIT_AUTHOR_EMAIL: commit.author.email,
    GIT_AUTHOR_DATE: commit.author.date,
    GIT_COMMITTER_NAME: commit.committer.name,
    GIT_COMMITTER_EMAIL: commit.committer.email,
    GIT_COMMITTER_DATE: commit.committer.date,
  };
  return git.text(["commit-tree", commit.tree, ...parents], { env, input: commit.message });
}

/** Commits never change, so each is read once. */
const known = new WeakMap<BareRepository, Map<string, CommitSummary>>();

/** Reads one commit. @throws Error when there is none of that SHA */
export async function readCommit(git: BareRepository, sha: string): Promise<CommitSummary> {
  const commit = known.get(git)?.get(sha) ?? (await readCommits(git, ["--max-count=1", sha]))[0];
  if (commit === undefined) throw new Error(`no commit ${sha}`);
  return commit;
}

/** Reads the commits that `git log` gives for a range, newest first. */
export async function readCommits(git: BareRepository, range: readonly string[]): Promise<CommitSummary[]> {
  const output = await git.text(["log", "-z", `--format=${FORMAT}`, ...range]);
  const records = output.split("\0").filter((record) => record !== "");
  const commits = records.map(parse);
  const cache = known.get(git) ?? new Map<string, CommitSummary>();
  known.set(git, cache);
  for (const commit of commits) cache.set(commit.sha, commit);
  return commits;
}

function parse(record: string): CommitSummary {
  const [sha = "", tree = "", parents = "", an = "", ae = "", ad = "", cn = "", ce = "", cd = "", message = ""] =
    record.split("\x1f");
  return {
    sha,
    tree,
    parents: parents === "" ? [] : parents.split(" "),
    author: { name: an, email: ae, date: utc(ad) },
    committer: { name: cn, email: ce, date: utc(cd) },
    message: message.replace(/\n+$/, ""),
  };
}

function utc(date: string): string {
  return `${new Date(date).toISOString().slice(0, 19)}Z`;
}
