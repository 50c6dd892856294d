import { z } from "zod";
import type { FileReader } from "./test-command.ts";

export interface Unwrapped {
  readonly shell: string;
  /** True when it came out of a package script or runner, whose programs lie in `node_modules/.bin`. */
  readonly usesPackages: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** A script that calls itself, or a chain too long to be meant. */
const deepest = 10;
const plainWord = /^[\w@%+=:,./-]+$/;

const packageJson = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/** `npm test`, `npm run x -- args`, and their like; the script's name and the words behind it. */
const scriptCall = [
  /^npm\s+(?:run|run-script|rum|urn)\s+(?:--?silent\s+|-s\s+)?(?<script>[\w:.-]+)(?<rest>.*)$/s,
  /^npm\s+(?:--?silent\s+|-s\s+)?(?<script>test|t|tst|start|stop|restart)(?![\w:.-])(?<rest>.*)$/s,
  /^(?:pnpm|yarn|bun)\s+(?:run\s+)?(?<script>[\w:.-]+)(?<rest>.*)$/s,
  /^node\s+--run[ =](?<script>[\w:.-]+)(?<rest>.*)$/s,
];

/** Programs that only start another one with packages at hand. What they start is what is wanted. */
const packageRunner =
  /^(?:npx\s+(?:--no-install\s+|--yes\s+|-y\s+|--no\s+)?|(?:npm|pnpm)\s+exec\s+(?:--\s+)?|yarn\s+exec\s+|pnpx\s+|bunx\s+)(?=[\w@./])/;
const environmentRunner =
  /^(?:(?:uv|poetry|pipenv|hatch|pdm|rye)\s+run\s+(?:--\s+)?(?=[\w./])|(?:cross-env|cross-env-shell)\s+|env\s+(?=\w+=))/;

/** Takes wrappers off the front of a command, as long as the rest means the same without them. */
export async function unwrapCommand(command: string, files: FileReader): Promise<Unwrapped> {
  const scripts = await packageScripts(files);
  let shell = command;
  let usesPackages = false;
  for (let depth = 0; depth < deepest; depth += 1) {
    const { assignments, rest } = splitAssignments(shell);
    const script = scriptOf(rest, scripts);
    const bare = rest.replace(packageRunner, "").replace(environmentRunner, "");
    if (script !== null) shell = assignments + script;
    else if (bare !== rest) shell = assignments + bare;
    else break;
    usesPackages ||= script !== null || packageRunner.test(rest);
  }
  return { shell, usesPackages, env: usesPackages ? { npm_lifecycle_event: "test", npm_execpath: "npm" } : {} };
}

/** Assignments before a command (`CI=1 TZ=UTC npm test`) hold for whatever it comes down to. */
function splitAssignments(shell: string): { assignments: string; rest: string } {
  const assignments = /^(?:[A-Za-z_]\w*=(?:[\w@%+=:,./-]*|'[^']*'|"[^"$`\\]*")\s+)*/.exec(shell)?.[0] ?? "";
  return { assignments, rest: shell.slice(assignments.length) };
}

/** The script's text with the words behind it, and with its `pre` and `post` scripts around it; null when it is no script call. */
function scriptOf(command: string, scripts: Readonly<Record<string, string>>): string | null {
  for (const pattern of scriptCall) {
    const groups = pattern.exec(command)?.groups;
    const name = groups?.["script"] === "t" || groups?.["script"] === "tst" ? "test" : groups?.["script"];
    const text = name === undefined ? undefined : scripts[name];
    const words = (groups?.["rest"] ?? "").trim().replace(/^--(?:\s+|$)/, "");
    if (text === undefined || !words.split(/\s+/).every((word) => word === "" || plainWord.test(word))) continue;
    const main = words === "" ? text : `${text} ${words}`;
    const around = [scripts[`pre${name}`], main, scripts[`post${name}`]].filter((each) => each !== undefined);
    return around.join(" && ");
  }
  return null;
}

async function packageScripts(files: FileReader): Promise<Readonly<Record<string, string>>> {
  const bytes = await files.read("package.json");
  if (bytes === null) return {};
  try {
    return packageJson.parse(JSON.parse(Buffer.from(bytes).toString("utf8"))).scripts ?? {};
  } catch {
    // A manifest that npm could not read either: then `npm test` is left as it is, and says so itself.
    return {};
  }
}
