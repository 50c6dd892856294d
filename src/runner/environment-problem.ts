import type { TestCase, TestRun } from "./report.ts";

/** Why a failure cannot be repaired in a sandbox, however good the code. */
export interface EnvironmentProblem {
  readonly kind: "missing-package" | "missing-command" | "missing-service" | "missing-secret";
  /** What is missing, for a person, with the next step. */
  readonly detail: string;
}

const commandNotFound = 127;
const secretName = /(TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|PRIVATE_KEY|ACCESS_KEY)/i;

/**
 * Says when every failure of a run has a cause outside of the code: a package that nobody installed, a service that does not answer, a secret that is
 * not there. Null as soon as one failure may be the code's own: an assertion always may.
 */
export function environmentProblem(run: TestRun, paths: readonly string[]): EnvironmentProblem | null {
  if (run.report === null) return missingCommand(run);
  const red = run.report.tests.filter(({ status }) => status === "failed" || status === "error");
  if (red.length === 0) return null;
  const problems = red.map((test) => problemOf(test, paths));
  return problems.every((problem) => problem !== null) ? (problems[0] ?? null) : null;
}

function missingCommand({ result }: TestRun): EnvironmentProblem | null {
  if (result.exitCode !== commandNotFound) return null;
  const program = /(?:sh: \d+: |: )([\w./-]+): not found/.exec(result.stderr.text)?.[1];
  return {
    kind: "missing-command",
    detail: `${program ?? "a program of the test command"} is not in the sandbox image`,
  };
}

function problemOf(test: TestCase, paths: readonly string[]): EnvironmentProblem | null {
  const type = test.exception?.type ?? "";
  const text = `${type}: ${test.exception?.message ?? ""}\n${test.message}`;
  if (/AssertionError|ERR_ASSERTION/.test(type)) return null;
  return missingPackage(text, paths) ?? missingService(text) ?? missingSecret(text);
}

function missingPackage(text: string, paths: readonly string[]): EnvironmentProblem | null {
  const python = /ModuleNotFoundError: No module named '([^']+)'/.exec(text)?.[1]?.split(".")[0];
  if (python !== undefined && !isOwnPython(python, paths)) return packageProblem(python);
  const node = /Cannot find (?:package|module) '([^'./][^']*)'/.exec(text)?.[1];
  if (node === undefined || node.startsWith("node:") || node.startsWith("#")) return null;
  const name = node.startsWith("@") ? node.split("/").slice(0, 2).join("/") : (node.split("/")[0] ?? node);
  return packageProblem(name);
}

/** A module of the project's own that cannot be found is a bug like any other. */
function isOwnPython(name: string, paths: readonly string[]): boolean {
  return paths.some((path) => path.split("/").some((part) => part === name || part === `${name}.py`));
}

function packageProblem(name: string): EnvironmentProblem {
  return { kind: "missing-package", detail: `the tests need the package ${name}, which is not in the sandbox image` };
}

function missingService(text: string): EnvironmentProblem | null {
  const refused = /(?:ECONNREFUSED|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\s+([\w.:-]+)/.exec(text)?.[1];
  if (refused !== undefined) return serviceProblem(refused);
  const python =
    /(?:ConnectionRefusedError|Connection refused|Name or service not known|Temporary failure in name resolution|Network is unreachable)/.exec(
      text,
    );
  return python === null ? null : serviceProblem("a service on the network");
}

function serviceProblem(name: string): EnvironmentProblem {
  return { kind: "missing-service", detail: `the tests connect to ${name}, and sandboxes have no network` };
}

function missingSecret(text: string): EnvironmentProblem | null {
  const name = /KeyError: '([A-Z][A-Z0-9_]+)'/.exec(text)?.[1];
  if (name === undefined || !secretName.test(name)) return null;
  return { kind: "missing-secret", detail: `the tests need the secret ${name}, and sandboxes hold none` };
}
