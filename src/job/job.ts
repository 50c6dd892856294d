import { z } from "zod";
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

/** Why a job was asked for. All causes but `check` are a person's wish, whose permission has been checked. */
export const causeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("check"), name: z.string(), checkRunId: githubId }),
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
});

/** What the queue holds. */
export const jobSchema = z.discriminatedUnion("kind", [fixJobSchema]);

export type Repository = z.infer<typeof repositorySchema>;
export type Subject = z.infer<typeof subjectSchema>;
export type Cause = z.infer<typeof causeSchema>;
export type FixJob = z.infer<typeof fixJobSchema>;
export type Job = z.infer<typeof jobSchema>;

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

/** Whether a person asked for it, so that it starts at once and is not held back by what was decided before. */
export function isAsked(job: FixJob): boolean {
  return job.causes.some((cause) => cause.kind !== "check");
}

/** What tells one cause from another: the same comment twice is one cause, and so is the same check that fails again. */
export function causeId(cause: Cause): string {
  switch (cause.kind) {
    case "check":
      return checkId(cause.name);
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
export function causesKnown({ causes, checksRead = [] }: FixJob): string[] {
  return [...causes.map(causeId), ...checksRead.map(checkId)];
}

/** A matrix has 256 cells at most: https://docs.github.com/en/actions/reference/limits */
const checksKept = 300;

/** The job with the names of the failing checks that it has read. */
export function withChecksRead(job: FixJob, names: readonly string[]): FixJob {
  const read = names.slice(0, checksKept).map((name) => storable(name, nameLimit));
  return { ...job, checksRead: [...new Set(read)] };
}

/** A matrix of thousands of cells must not make a job's record grow without end; the job reads all failing checks itself. */
const causesKept = 100;

/** The job with the causes of another one about the same commit added. */
export function withCauses(job: FixJob, added: FixJob): FixJob {
  const causes = new Map([...job.causes, ...added.causes].map((cause) => [causeId(cause), cause]));
  const asked = [...causes.values()].filter((cause) => cause.kind !== "check");
  const checks = [...causes.values()].filter((cause) => cause.kind === "check");
  return { ...job, subject: knownBest(job.subject, added.subject), causes: [...asked, ...checks].slice(0, causesKept) };
}

function knownBest(known: Subject, added: Subject): Subject {
  return known.kind === "branch" && known.pullRequest === null ? added : known;
}
