import type { Database } from "../store/database.ts";
import { findJob } from "../store/jobs.ts";
import { jobOfRun } from "./job-trace.ts";

/**
 * Whether nobody works at a run any more: its job ended or waits, or another attempt has taken its place. A run of which the
 * database knows nothing is not for this service to judge.
 */
export async function isRunOver(database: Database, run: string): Promise<boolean> {
  const named = jobOfRun(run);
  const row = named === null ? null : await findJob(database, named.id);
  if (named === null || row === null) return false;
  return !(row.state === "active" && row.running && row.attempts === named.attempt);
}
