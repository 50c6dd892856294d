// Makes what only the tests need besides the sandbox: the programs of a PostgreSQL server, which the tests start themselves.
import { AutolithError, messageOf } from "../../src/errors.ts";
import { withLock } from "./lock.mjs";
import { ensurePostgresql } from "./postgresql.ts";
import { setupLock } from "./setup-lock.ts";

try {
  await withLock(setupLock(), ensurePostgresql);
} catch (error) {
  if (!(error instanceof AutolithError)) throw error;
  process.stderr.write(`setup: ${messageOf(error).trim()}\n`);
  process.exitCode = 3;
}
