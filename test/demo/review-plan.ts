import { type Answer, calls } from "../model-server/answer.ts";
import type { FixerPlan } from "../model-server/policies/fixer.ts";
import type { ScriptedFinding } from "../model-server/policies/reviewer.ts";
import type { NpmPackage } from "../registry/npm-index.ts";

const body = (unit: string) =>
  `/** Reads durations such as "1h 30m". Gives ${unit === "1000" ? "milliseconds" : "seconds"}. */\nconst seconds = { h: 3600, m: 60, s: 1 };\n\nexport function parse(text) {\n  const parts = [...text.matchAll(/(\\d+)([hms])/g)];\n  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * seconds[unit], 0) * ${unit};\n}\n`;
const manifest = { type: "module", exports: "./index.js" };

/** The package that the demo's bot bumps: its second version counts seconds where the first one counted milliseconds. */
export const tinyDuration: readonly NpmPackage[] = [
  { name: "tiny-duration", version: "1.4.0", manifest, files: { "index.js": body("1000") } },
  { name: "tiny-duration", version: "2.0.0", manifest, files: { "index.js": body("1") } },
];

/** The manifest of the demo's project. */
export const ticketsManifest = (version: string) => ({
  name: "tickets",
  version: "1.0.0",
  private: true,
  type: "module",
  scripts: { test: "node --test" },
  dependencies: { "tiny-duration": version },
});

/** What the scripted model does: it tries the call that no test covers. */
export const reviewSteps: readonly Answer[] = [
  calls("read_file", { path: "src/reminder.js" }, "No test calls this one."),
  calls(
    "execute",
    {
      language: "node",
      code: 'const { reminderDelay } = await import("/work/src/reminder.js");\nconst session = { start: Date.UTC(2026, 4, 1, 9) };\nreminderDelay(session, { before: "15m", now: Date.UTC(2026, 4, 1, 8) }) / 60_000',
    },
    "A quarter of an hour before nine, asked at eight: 45 minutes.",
  ),
];

export const reviewFindings: readonly ScriptedFinding[] = [
  {
    file: "package.json",
    line: 10,
    message:
      "parse gives seconds since 2.0.0. reminderDelay, which no test covers, takes them for milliseconds: a reminder 15 minutes ahead comes after 59.985 minutes in place of 45, less than a second before the session.",
    evidence: { run: 3, shows: "59.985" },
  },
];

/** The repair that follows. */
export const reviewRepair: FixerPlan = {
  look: { language: "node", code: 'const { parse } = await import("tiny-duration");\nparse("1h 30m")' },
  edits: [
    { path: "src/session.js", old_text: "start + parse(length)", new_text: "start + parse(length) * 1000" },
    {
      path: "src/reminder.js",
      old_text: "session.start - parse(before) - now",
      new_text: "session.start - parse(before) * 1000 - now",
    },
  ],
  root_cause: "Since version 2.0.0 parse of tiny-duration gives seconds, and both callers take them for milliseconds.",
  summary: "Make milliseconds of the seconds that tiny-duration 2 gives, in both callers.",
};
