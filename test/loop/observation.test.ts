import { expect, test } from "vitest";
import { describeExecution } from "../../src/loop/observation.ts";
import type { ExecutionResult } from "../../src/sandbox/sandbox.ts";

const none = { text: "", droppedBytes: 0 };

function execution(overrides: Partial<ExecutionResult> = {}): ExecutionResult {
  return {
    status: "ok",
    value: null,
    stdout: none,
    stderr: none,
    exception: null,
    durationMs: 1.25,
    memoryBytes: 1,
    stale: [],
    background: [],
    epoch: 1,
    ...overrides,
  };
}

test("an execution shows value, exception with locals, output and what is stale", () => {
  const text = describeExecution(
    execution({
      status: "error",
      stdout: { text: "hello\n", droppedBytes: 0 },
      exception: {
        type: "KeyError",
        message: "'rate'",
        frames: [
          {
            file: "/work/src/tax.py",
            line: 7,
            function: "rate_of",
            source: "return rates[country]",
            locals: { country: "'SE'" },
          },
        ],
      },
      stale: ["src/tax.py"],
    }),
  );
  expect(text).toMatchInlineSnapshot(`
    "error (1.3 ms)
    KeyError: 'rate'
      at src/tax.py:7 in rate_of
          > return rates[country]
          country = 'SE'
    stdout:
    hello
    stale: src/tax.py changed since the runtime imported it; run_tests always uses the new file"
  `);
});
