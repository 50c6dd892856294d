import type { ShellWord } from "./shell-words.ts";

interface Wrapper {
  /** Words behind the program's name that belong to its name, such as `run` of `poetry run`. */
  readonly verbs?: readonly string[];
  /** Options whose value is the next word. */
  readonly valued?: readonly string[];
  /** Words that are neither options nor assignments, before the program that is started. */
  readonly operands?: number;
}

/** Programs that start another one, which is the one that matters. */
const wrappers: Readonly<Record<string, Wrapper>> = {
  env: { valued: ["-u", "--unset", "-C", "--chdir"] },
  "cross-env": {},
  "cross-env-shell": {},
  dotenv: { valued: ["-e", "-f", "-p"] },
  time: {},
  nice: { valued: ["-n"] },
  nohup: {},
  exec: {},
  command: {},
  timeout: { valued: ["-k", "-s"], operands: 1 },
  stdbuf: { valued: ["-o", "-e", "-i"] },
  "xvfb-run": { valued: ["-n", "-s", "-e", "-f"] },
  c8: { valued: ["-r", "--reporter", "-x", "--exclude", "-n", "--include", "--src"] },
  nyc: { valued: ["-r", "--reporter", "-x", "--exclude", "-n", "--include"] },
  npx: { valued: ["-p", "--package"] },
  pnpx: {},
  bunx: {},
  npm: { verbs: ["exec", "x"] },
  pnpm: { verbs: ["exec", "dlx"] },
  yarn: { verbs: ["exec", "dlx"] },
  uv: {
    verbs: ["run"],
    valued: [
      "--with",
      "--extra",
      "--group",
      "--only-group",
      "--python",
      "-p",
      "--project",
      "--package",
      "--env-file",
      "--directory",
    ],
  },
  poetry: { verbs: ["run"] },
  pipenv: { verbs: ["run"] },
  pdm: { verbs: ["run"] },
  hatch: { verbs: ["run"] },
  rye: { verbs: ["run"] },
  conda: { verbs: ["run"], valued: ["-n", "--name", "-p", "--prefix"] },
  coverage: {
    verbs: ["run"],
    valued: ["--source", "--rcfile", "--omit", "--include", "--context", "--data-file", "--concurrency"],
  },
};

const assignment = /^[A-Za-z_]\w*=/;
const python = /^(?:python(?:\d(?:\.\d+)?)?|pypy3?)$/;

/**
 * The words of the program that a command comes down to: assignments, wrappers and `python -m` are taken off. The
 * result is a tail of the given words, so that what stands before it is known, too.
 */
export function peelWrappers(words: readonly ShellWord[]): readonly ShellWord[] {
  let rest = words;
  for (;;) {
    const next = peelWrapper(rest);
    if (next === rest) return rest;
    rest = next;
  }
}

/** Takes off the outermost wrapper or assignment only; the given words themselves when there is none. */
export function peelWrapper(words: readonly ShellWord[]): readonly ShellWord[] {
  const first = words[0];
  if (first === undefined) return words;
  if (assignment.test(first.raw)) return words.slice(1);
  const name = (first.value ?? "").split("/").at(-1) ?? "";
  if (python.test(name)) return moduleOf(words) ?? words;
  const wrapper = wrappers[name];
  if (wrapper === undefined || !Object.hasOwn(wrappers, name)) return words;
  const { verbs, valued = [], operands = 0 } = wrapper;
  if (verbs !== undefined && !verbs.includes(words[1]?.value ?? "")) return words;
  let at = verbs === undefined ? 1 : 2;
  for (let left = operands; at < words.length; at += 1) {
    const text = words[at]?.value ?? words[at]?.raw ?? "";
    if (name === "coverage" && text === "-m") return words.slice(at + 1);
    if (text === "--") return words.slice(at + 1);
    if (valued.includes(text)) at += 1;
    else if (!text.startsWith("-") && !assignment.test(text) && left-- <= 0) break;
  }
  return words.slice(at);
}

/** `python -X dev -m pytest -q` as `pytest -q`; undefined when no module is run. */
function moduleOf(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  for (let at = 1; at < words.length; at += 1) {
    const text = words[at]?.value ?? "";
    if (/^-[A-Za-z]*m$/.test(text)) return words.slice(at + 1);
    if (text === "-X" || text === "-W") at += 1;
    else if (!text.startsWith("-") || /^-[A-Za-z]*c$/.test(text)) return undefined;
  }
  return undefined;
}
