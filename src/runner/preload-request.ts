import type { RunRequest } from "../sandbox/sandbox.ts";
import { prefixVariable } from "./prefix-variable.ts";
import type { RunTestsOptions } from "./run-tests.ts";
import { pluginFolder } from "./runner.ts";
import type { TestCommand } from "./test-command.ts";

/**
 * A run of a runner whose plugin is loaded by NODE_OPTIONS into the runner's own process, however the command starts it,
 * and adds the reporter, the chosen tests and the order to that process's arguments. `CI` is set, as where the failure
 * was seen: nothing waits for changes, and no snapshot is written.
 */
export function preloadRequest(
  command: TestCommand,
  { timeoutMs, select, shuffleSeed, locals = true }: RunTestsOptions,
  plugin: string,
): RunRequest {
  const options = `--import=${pluginFolder}/${plugin}/preload.mjs`;
  const { shell, env } = prefixVariable(command, "NODE_OPTIONS", { prefix: options, separator: " " });
  return {
    argv: ["sh", "-c", shell],
    cwd: command.cwd,
    env: {
      CI: "true",
      ...env,
      AUTOLITH_NODE_OPTIONS: options,
      AUTOLITH_TIMEOUT_MS: String(timeoutMs),
      AUTOLITH_LOCALS: locals ? "1" : "0",
    },
    timeoutMs,
    report: true,
    input: JSON.stringify({ select: select ?? null, shuffleSeed: shuffleSeed ?? null }),
  };
}
