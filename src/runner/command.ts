import type { Runner } from "./runner.ts";

/** A command of which nothing is known but its exit status. */
export const command: Runner = {
  name: "command",
  request({ shell, cwd, env }, { timeoutMs, hashSeed }) {
    const seed = hashSeed === undefined ? {} : { PYTHONHASHSEED: hashSeed };
    return { argv: ["sh", "-c", shell], cwd, env: { ...env, ...seed }, timeoutMs, report: false };
  },
  read: () => null,
};
