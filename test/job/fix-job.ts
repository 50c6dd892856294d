import { type Cause, type FixJob, fixJobSchema, type Subject } from "../../src/job/job.ts";

let lastRepository = 7000;

/** The number of a repository that no other test uses. */
export function freshRepository(): number {
  lastRepository += 1;
  return lastRepository;
}

export function sha(letter: string): string {
  return letter.repeat(40);
}

export function check(name: string, checkRunId = 1): Cause {
  return { kind: "check", name, checkRunId };
}

export function command(commentId: number, askedAt = "2026-05-01T12:10:00Z", hint: string | null = null): Cause {
  return { kind: "command", commentId, userId: 77, login: "ada", hint, askedAt };
}

export interface FixJobParts {
  readonly repositoryId?: number;
  readonly subject?: Subject;
  readonly sha?: string | null;
  readonly shaSeenAt?: string;
  readonly causes?: Cause[];
}

/** A job about the branch `feature` of pull request 5, asked for by one failed check. */
export function fixJob(parts: FixJobParts = {}): FixJob {
  return fixJobSchema.parse({
    kind: "fix",
    installationId: 42,
    repository: { id: parts.repositoryId ?? 7000, owner: "octo", name: "shop", defaultBranch: "main" },
    subject: parts.subject ?? { kind: "branch", branch: "feature", pullRequest: 5 },
    sha: parts.sha === undefined ? sha("a") : parts.sha,
    shaSeenAt: parts.shaSeenAt ?? "2026-05-01T12:00:00Z",
    causes: parts.causes ?? [check("test")],
  });
}
