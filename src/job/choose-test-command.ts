import type { Checkout } from "../checkout/snapshot.ts";
import { parseRepoConfig, type RepoConfig, repoConfigPath } from "../config/repo-config.ts";
import { AutolithError } from "../errors.ts";
import { detectTestCommand } from "../runner/detect-test-command.ts";
import { resolveTestCommand, type TestCommand } from "../runner/test-command.ts";

/**
 * The command whose tests are to be repaired: the given or configured one, else what the project looks like. Throws
 * `AutolithError("usage")` when nothing is found.
 */
export async function chooseTestCommand(checkout: Checkout, given: string | undefined): Promise<TestCommand> {
  const command = given ?? (await detectTestCommand(checkout));
  if (command === null) {
    throw new AutolithError(
      "usage",
      `no tests were found; name their command by --test, or by \`test:\` in ${repoConfigPath}`,
    );
  }
  return resolveTestCommand(command, checkout);
}

/** The configuration that a folder brings along. Throws `AutolithError("config")` for an invalid one. */
export async function ownConfig(checkout: Checkout): Promise<RepoConfig> {
  const bytes = await checkout.read(repoConfigPath);
  if (bytes === null) return {};
  const parsed = parseRepoConfig(Buffer.from(bytes).toString("utf8"));
  if (parsed.kind === "valid") return parsed.config;
  throw new AutolithError("config", `${repoConfigPath}:${parsed.line}: ${parsed.message}`);
}
