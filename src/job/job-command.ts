import type { Checkout } from "../checkout/snapshot.ts";
import { repoConfigPath } from "../config/repo-config.ts";
import type { Evidence, FailedCheck } from "../evidence/evidence.ts";
import { stepCommand } from "../evidence/step-command.ts";
import { detectTestCommand } from "../runner/detect-test-command.ts";
import { resolveTestCommand, type TestCommand } from "../runner/test-command.ts";

export type ChosenCommand =
  | { readonly kind: "chosen"; readonly command: TestCommand }
  /** `reason` is one line for a person. */
  | { readonly kind: "none"; readonly reason: string };

export interface CommandSources {
  readonly checkout: Checkout;
  /** `test:` of the default branch's configuration. */
  readonly configured: string | undefined;
  readonly evidence: Evidence;
}

const hint = `name a command that runs here by \`test:\` in ${repoConfigPath} on the default branch`;

/** The command whose tests are to be repaired: the configured one, else the failing step's own, else what the project looks like. */
export async function chooseJobCommand({ checkout, configured, evidence }: CommandSources): Promise<ChosenCommand> {
  const { checks } = evidence;
  if (configured !== undefined) return chosen(await resolveTestCommand(configured, checkout), environmentOf(checks));
  const fromStep = await commandOfSteps(checks, checkout);
  if (fromStep !== null) return fromStep;
  const foreign = checks.map((check) => check.needs).find((needs) => needs !== null);
  if (foreign !== undefined && checks.every((check) => check.needs !== null)) {
    return { kind: "none", reason: `it cannot run here: ${foreign}; ${hint}` };
  }
  const detected = await detectTestCommand(checkout);
  if (detected !== null) return chosen(await resolveTestCommand(detected, checkout), environmentOf(checks));
  const noCheck = checks.length === 0 ? "nothing in it looks like a test suite" : "no failing check names a command";
  const gap = checks.map((check) => check.gap).find((each) => each !== null) ?? noCheck;
  return { kind: "none", reason: `it is not known how the tests are run: ${gap}; ${hint}` };
}

/** A command whose single tests are reported tells more than one that has only an exit status. */
async function commandOfSteps(checks: readonly FailedCheck[], checkout: Checkout): Promise<ChosenCommand | null> {
  let plain: ChosenCommand | null = null;
  for (const { command, env } of checks) {
    const meant = command === null ? null : stepCommand(command);
    if (meant === null) continue;
    const resolved = await resolveTestCommand(meant, checkout);
    if (resolved.runner !== "command") return chosen(resolved, env);
    plain ??= chosen(resolved, env);
  }
  return plain;
}

function environmentOf(checks: readonly FailedCheck[]): Readonly<Record<string, string>> {
  return checks.find((check) => Object.keys(check.env).length > 0)?.env ?? {};
}

function chosen(command: TestCommand, env: Readonly<Record<string, string>>): ChosenCommand {
  return { kind: "chosen", command: { ...command, env: { ...env, ...command.env } } };
}
