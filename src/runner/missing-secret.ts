import type { EnvironmentProblem, Failure } from "./environment-problem.ts";

const secretName =
  /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|API_?KEY|ACCESS_KEY(?:_ID)?|PRIVATE_KEY|SECRET_KEY|DSN)(?:_|$)/;
const keyError = /^KeyError: '([A-Z][A-Z0-9_]+)'$/m;
const isMissing = /missing|not set|not defined|required|undefined|must be/i;

/** A secret that the environment of CI holds and a sandbox does not. */
export function missingSecret({ exception, text }: Failure): EnvironmentProblem | null {
  const isEnvironment = exception?.frames.at(-1)?.file.endsWith("/os.py") === true;
  const asked = isEnvironment ? keyError.exec(text)?.[1] : undefined;
  const lines = text.split("\n").filter((line) => /environment variable/i.test(line) && isMissing.test(line));
  const named = lines.flatMap((line) => line.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
  const name = [asked, ...named].find((each) => each !== undefined && secretName.test(each));
  return name === undefined
    ? null
    : { kind: "missing-secret", detail: `the tests need the secret ${name}, and a sandbox holds none` };
}
