import { failingConclusions } from "../evidence/gather.ts";
import { findRepository, named } from "../github/repository.ts";
import type { IntakeServices } from "./command-intake.ts";
import type { Intake } from "./intake.ts";
import type { Cause } from "./job.ts";
import { reachOf } from "./reach-of.ts";

/** Queues a job for the checks of a commit that failed before its pull request was ready; where none did, nothing follows. */
export async function takeReady(
  intake: Extract<Intake, { kind: "ready" }>,
  services: IntakeServices,
  signal: AbortSignal,
): Promise<void> {
  const github = await services.access.client(reachOf(intake), "evidence", signal);
  const repository = await findRepository(github, intake.repository.id, signal);
  const { data } = await github.rest.checks.listForRef({
    ...named(repository),
    ...{ ref: intake.sha, status: "completed", filter: "latest", per_page: 100 },
    request: { signal },
  });
  const causes = data.check_runs
    .filter(({ conclusion, app }) => failingConclusions.has(conclusion ?? "") && app?.id !== services.appId)
    .map(({ name, id }): Cause => ({ kind: "check", name, checkRunId: id }));
  if (causes.length === 0) return;
  const { installationId, subject, sha, shaSeenAt } = intake;
  const known = { installationId, repository: intake.repository, subject, sha, shaSeenAt };
  await services.apply({ kind: "fix", job: { kind: "fix", ...known, causes } });
}
