import { z } from "zod";
import { causeSchema, repositorySchema, subjectSchema } from "./job.ts";

/** What a person wrote after `/autolith`. */
export const commandSchema = z.discriminatedUnion("name", [
  z.object({ name: z.literal("fix"), hint: z.string().nullable() }),
  z.object({ name: z.literal("review") }),
  z.object({ name: z.literal("stop") }),
  z.object({ name: z.literal("help") }),
  /** No command of ours; `suggestion` is the one that was probably meant. */
  z.object({ name: z.literal("unknown"), word: z.string(), suggestion: z.string().nullable() }),
]);

const common = { installationId: z.number(), repository: repositorySchema };
const person = z.object({ id: z.number(), login: z.string() });

/**
 * What has to be asked of GitHub before it can become a job or end one: who a person is and may do, which commit a comment is about,
 * which pull request has a commit as its head. Small and quick, apart from the jobs, so that `/autolith stop` does not wait for a job.
 */
export const intakeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("command"),
    ...common,
    command: commandSchema,
    comment: z.object({ id: z.number(), createdAt: z.iso.datetime(), user: person }),
    issue: z.object({ number: z.number(), isPullRequest: z.boolean(), isOpen: z.boolean(), isLocked: z.boolean() }),
  }),
  /** A check failed for a commit of which the event names no branch here: the head of a pull request from a fork. */
  z.object({
    kind: z.literal("commit"),
    ...common,
    sha: z.string(),
    shaSeenAt: z.iso.datetime(),
    cause: causeSchema,
  }),
  /** A pull request is no draft any more: its checks may have failed before. */
  z.object({
    kind: z.literal("ready"),
    ...common,
    subject: subjectSchema,
    sha: z.string(),
    shaSeenAt: z.iso.datetime(),
  }),
  /** A pull request was opened or pushed to, maybe by a bot: whose it is, its commits tell. */
  z.object({
    kind: z.literal("pull-request"),
    ...common,
    subject: subjectSchema,
    number: z.number(),
    sha: z.string(),
    shaSeenAt: z.iso.datetime(),
    author: person,
  }),
  /** Somebody pressed the re-run button of our check run, or of all checks (then `checkRunId` is null). */
  z.object({
    kind: z.literal("rerun"),
    ...common,
    /** Set when it is about the check run of a review. */
    of: z.literal("review").optional(),
    sha: z.string(),
    checkRunId: z.number().nullable(),
    user: person,
    askedAt: z.iso.datetime(),
  }),
]);

export type Command = z.infer<typeof commandSchema>;
export type Intake = z.infer<typeof intakeSchema>;
