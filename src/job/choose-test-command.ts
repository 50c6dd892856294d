import type { Checkout } from "../checkout/snapshot.ts";
import { parseRepoConfig, repoConfigPath } from "../config/repo-config.ts";
import { AutolithError } from "../errors.ts";
import { detectTestCommand } from "../runner/detect-test-command.ts";
import { resolveTestCommand, type TestCommand } from "../runner/test-command.ts";

/**
 * The command whose tests are to be repaired: the given one, else that of the repository's configuration, else what the project looks
 * like. Throws `AutolithError`: `config` for an invalid configuration, `usage` when nothing is found.
 */
export async function chooseTestCommand(checkout: Checkout, given: string | undefined): Promise<TestCommand> {
  const command = given ?? (await configured(checkout)) ?? (await detectTestCommand(checkout));
  if (command === null) {
    throw new AutolithError(
      "usage",
      `no tests were found; name their command by --test, or by \`test:\` in ${repoConfigPath}`,
    );
  }
  return resolveTestCommand(command, checkout);
}

async function configured(checkout: Checkout): Promise<string | undefined> {
  const bytes = await checkout.read(repoConfigPath);
  if (bytes === null) return undefined;
  const parsed = parseRepoConfig(Buffer.from(bytes).toString("utf8"));
  if (parsed.kind === "valid") return parsed.config.test;
  throw new AutolithError("config", `${repoConfigPath}:${parsed.line}: ${parsed.message}`);
}
