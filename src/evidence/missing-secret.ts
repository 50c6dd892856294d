import type { LogLine } from "./clean-log.ts";
import type { StepWindow } from "./run-block.ts";

/**
 * What the runner says while it sets a job up: workflows of Dependabot and of forks get no secrets of the repository.
 * https://docs.github.com/en/code-security/dependabot/troubleshooting-dependabot/troubleshooting-dependabot-on-github-actions
 */
const source = /^Secret source: (Dependabot|None)\b/;
const stepStart = /^##\[group\]Run /;

/** What actions and programs print when a secret is empty or a token may not do something. */
const complaints = [
  /^##\[error\]Input required and not supplied: ([\w-]+)/,
  /\b([A-Z][A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|API_?KEY|PRIVATE_KEY|CREDENTIALS?)[A-Z0-9_]*)\b[^.]{0,80}?\b(?:not set|not defined|missing|required|undefined|empty)\b/,
  /^##\[error\].*\b(Resource not accessible by integration)\b/,
  /^##\[error\].*\b(Username and password required)\b/,
];
const secondMs = 1_000;

/**
 * Says when a step failed because its job had no secrets to give it: that cannot be repaired in code. Null when the job had the
 * repository's secrets, or when nothing in the step's own output complains of one.
 */
export function missingSecret(lines: readonly LogLine[], { startedAt, completedAt }: StepWindow): string | null {
  const setUp = lines.slice(
    0,
    Math.max(
      0,
      lines.findIndex(({ text }) => stepStart.test(text)),
    ),
  );
  const from = setUp.map(({ text }) => source.exec(text)?.[1]).find((found) => found !== undefined);
  if (from === undefined) return null;
  const own = lines.filter(({ at }) => at !== null && at >= startedAt && at < completedAt + secondMs);
  for (const { text } of own) {
    const what = complaints.map((complaint) => complaint.exec(text)?.[1]).find((found) => found !== undefined);
    if (what === undefined) continue;
    const whose = from === "Dependabot" ? "its workflow has Dependabot's secrets only" : "its workflow has no secrets";
    return `${whose}, and the step asks for one (${what})`;
  }
  return null;
}
