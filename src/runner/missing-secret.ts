import type { EnvironmentProblem, Failure } from "./environment-problem.ts";

const secretName =
  /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|API_?KEY|ACCESS_KEY(?:_ID)?|PRIVATE_KEY|SECRET_KEY|DSN)(?:_|$)/;
const keyError = /^KeyError: '([A-Z][A-Z0-9_]+)'$/m;
const saidSo =
  /(?:\b([A-Z][A-Z0-9_]+)\b[^\n]{0,40}environment variable|environment variable[^\n]{0,40}\b([A-Z][A-Z0-9_]+)\b)[^\n]{0,60}?(?:missing|not set|required|undefined|must be)|(?:missing|required|set)[^\n]{0,40}environment variable:? \W?([A-Z][A-Z0-9_]+)/i;

/** A secret that the environment of CI holds and a sandbox does not. */
export function missingSecret({ exception, text }: Failure): EnvironmentProblem | null {
  const isEnvironment = exception?.frames.at(-1)?.file.endsWith("/os.py") === true;
  const said = saidSo.exec(text);
  const name = (isEnvironment ? keyError.exec(text)?.[1] : undefined) ?? said?.[1] ?? said?.[2] ?? said?.[3];
  if (name === undefined || !secretName.test(name)) return null;
  return { kind: "missing-secret", detail: `the tests need the secret ${name}, and a sandbox holds none` };
}
