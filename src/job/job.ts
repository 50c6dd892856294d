import { z } from "zod";
import { reportSchema } from "./report-schema.ts";
import { nameLimit, storable } from "./storable.ts";

const githubId = z.number().int().positive();
const moment = z.iso.datetime();

/** A repository as it was called when the event came; only the id is sure to stay. */
export const repositorySchema = z.object({
  id: githubId,
  owner: z.string(),
  name: z.string(),
  defaultBranch: z.string(),
});

/** What a job is about. */
export const subjectSchema = z.discriminatedUnion("kind", [
  /** A branch of the repository: the head of a pull request, or the default branch, which has no pull request here. */
  z.object({ kind: z.literal("branch"), branch: z.string(), pullRequest: githubId.nullable() }),
  /** The head of a pull request from another repository. */
  z.object({ kind: z.literal("fork"), pullRequest: githubId }),
  z.object({ kind: z.literal("issue"), issue: githubId }),
]);

/** Why a job was asked for. `command` and `rerun` are a person's wish, whose permission has been checked. */
export const causeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("check"), name: z.string(), checkRunId: githubId }),
  /** A bot opened the pull request, or pushed to it. */
  z.object({ kind: z.literal("pull-request"), number: githubId }),
  /** A review saw the head red where the base is green. */
  z.object({ kind: z.literal("review"), jobId: z.string() }),
  z.object({
    kind: z.literal("command"),
    commentId: githubId,
    userId: githubId,
    login: z.string(),
    /** What the person wrote after the command: untrusted text. */
    hint: z.string().nullable(),
    askedAt: moment,
  }),
  /** The re-run button of our own check run, or of all checks of the commit. */
  z.object({
    kind: z.literal("rerun"),
    checkRunId: githubId.nullable(),
    userId: githubId,
    login: z.string(),
    askedAt: moment,
  }),
]);

/** A commit to repair. Plain data: it holds an installation's id, never a token. */
export const fixJobSchema = z.object({
  kind: z.literal("fix"),
  installationId: githubId,
  repository: repositorySchema,
  subject: subjectSchema,
  /** The start commit; null for an issue, where it is the head of the default branch when the job starts. */
  sha: z.string().nullable(),
  /** When `sha` became the newest of its branch, as far as we know: which of two commits is the newer one. */
  shaSeenAt: moment,
  causes: z.array(causeSchema).min(1),
  /** Names of the failing checks that an attempt has read, as causes name them. */
  checksRead: z.array(z.string()).optional(),
  /** What an issue says; nothing else has one. */
  report: reportSchema.optional(),
});

/** A pull request to review, at its head. */
export const reviewJobSchema = fixJobSchema.extend({
  kind: z.literal("review"),
  sha: z.string(),
  /** The bot that wrote all of it, as far as that has been checked; null when it is not known to be a bot's. */
  bot: z.object({ id: githubId, login: z.string() }).nullable(),
});

/** What the queue holds. */
export const jobSchema = z.discriminatedUnion("kind", [fixJobSchema, reviewJobSchema]);

export type Repository = z.infer<typeof repositorySchema>;
export type Subject = z.infer<typeof subjectSchema>;
export type Cause = z.infer<typeof causeSchema>;
export type FixJob = z.infer<typeof fixJobSchema>;
export type ReviewJob = z.infer<typeof reviewJobSchema>;
export type Job = z.infer<typeof jobSchema>;

/** The key of a job; reviews and repairs of the same head do not stand in each other's way. */
export function jobKey({ kind, repository, subject }: Pick<Job, "kind" | "repository" | "subject">): string {
  return kind === "fix" ? keyOf(repository.id, subject) : reviewKeyOf(repository.id, subject);
}

/** The key of reviews. No ref holds a colon. */
export function reviewKeyOf(repositoryId: number, subject: Subject): string {
  return `${keyOf(repositoryId, subject)}:review`;
}

/** The keys of everything that may be done about a subject, in the order in which they are locked. */
export function keysOf(repositoryId: number, subject: Subject): readonly [repair: string, review: string] {
  return [keyOf(repositoryId, subject), reviewKeyOf(repositoryId, subject)];
}

/** At most one job per key runs, and at most one waits. Refs are written out, so that no branch name looks like something else. */
export function keyOf(repositoryId: number, subject: Subject): string {
  switch (subject.kind) {
    case "branch":
      return `${repositoryId}:refs/heads/${subject.branch}`;
    case "fork":
      return `${repositoryId}:refs/pull/${subject.pullRequest}/head`;
    case "issue":
      return `${repositoryId}:issues/${subject.issue}`;
  }
}

/** Number of the issue or pull request where a job's comment stands; null for the default branch. */
export function conversationOf(subject: Subject): number | null {
  return subject.kind === "issue" ? subject.issue : subject.pullRequest;
}

/** Whether a person asked for it, so that it starts at once and is not held back by what was decided before. */
export function isAsked({ causes }: Pick<Job, "causes">): boolean {
  return causes.some(isWish);
}

/** Whether a cause is a person's wish, rather than something that happened. */
export function isWish(cause: Cause): cause is Extract<Cause, { askedAt: string }> {
  return cause.kind === "command" || cause.kind === "rerun";
}

/** What tells one cause from another: the same comment twice is one cause, and so is the same check that fails again. */
export function causeId(cause: Cause): string {
  switch (cause.kind) {
    case "check":
      return checkId(cause.name);
    case "pull-request":
      return `pull request ${cause.number}`;
    case "review":
      return `review ${cause.jobId}`;
    case "command":
      return `comment ${cause.commentId}`;
    case "rerun":
      return `re-run ${cause.checkRunId} ${cause.askedAt}`;
  }
}

function checkId(name: string): string {
  return `check ${name}`;
}

/** What a job has been asked for, and what it found out by itself: an event about a check may come after the job that read it. */
export function causesKnown({ causes, checksRead = [] }: Pick<Job, "causes" | "checksRead">): string[] {
  return [...causes.map(causeId), ...checksRead.map(checkId)];
}

/** A matrix has 256 cells at most: https://docs.github.com/en/actions/reference/limits */
const checksKept = 300;

/** The job with the names of the failing checks that it has read. */
export function withChecksRead<J extends Job>(job: J, names: readonly string[]): J {
  const read = names.slice(0, checksKept).map((name) => storable(name, nameLimit));
  return { ...job, checksRead: [...new Set(read)] };
}

/** A matrix of thousands of cells must not make a job's record grow without end; the job reads all failing checks itself. */
const causesKept = 100;

/** The job with the causes of another one about the same commit added. */
export function withCauses<J extends Job>(job: J, added: J): J {
  const causes = new Map([...job.causes, ...added.causes].map((cause) => [causeId(cause), cause]));
  const asked = [...causes.values()].filter(isWish);
  const others = [...causes.values()].filter((cause) => !isWish(cause));
  // Whoever asks again has seen the issue as it is now.
  const report = added.report ?? job.report;
  const both = {
    ...{ ...job, ...(report && { report }) },
    subject: knownBest(job.subject, added.subject),
    causes: [...asked, ...others].slice(0, causesKept),
  };
  // A person may ask for a review before it is known whose the pull request is.
  return both.kind === "review" && added.kind === "review" ? { ...both, bot: both.bot ?? added.bot } : both;
}

function knownBest(known: Subject, added: Subject): Subject {
  return known.kind === "branch" && known.pullRequest === null ? added : known;
}
