import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExecutionResult } from "../../src/sandbox/sandbox.ts";
import { SupervisorProcess } from "./supervisor-process.ts";

let supervisor: SupervisorProcess;
beforeAll(async () => {
  supervisor = await SupervisorProcess.start();
});
afterAll(() => supervisor[Symbol.asyncDispose]());

function execute(code: string, timeoutMs = 30_000): Promise<ExecutionResult> {
  return supervisor.execute(code, { language: "node", timeoutMs });
}

test("reports an error with its frames, locals and cause, without those of the runtime", async () => {
  await supervisor.put({
    "shares.cjs": "exports.share = (total, people) => {\n  const each = total / people\n  return each.cents.value\n}\n",
  });
  const code =
    "const token = 'abc'\nfunction call(password) {\n  const { share } = require('./shares.cjs')\n  return share(10, 4)\n}\ncall('x')";
  const { status, exception } = await execute(code);
  expect(status).toBe("error");
  expect(exception).toMatchObject({
    type: "TypeError",
    message: "Cannot read properties of undefined (reading 'value')",
  });
  expect(exception?.frames).toEqual([
    {
      file: expect.stringMatching(/^<execution-\d+>$/),
      line: 6,
      function: "<module>",
      source: "call('x')",
      locals: {},
    },
    expect.objectContaining({
      function: "call",
      locals: { password: "<redacted>", share: "[Function]" },
    }),
    {
      file: `${supervisor.workspace}/shares.cjs`,
      line: 3,
      function: "exports.share",
      source: "return each.cents.value",
      locals: { total: "10", people: "4", each: "2.5" },
    },
  ]);
  const chained = await execute("try { null.x } catch (cause) { throw new Error('outer', { cause }) }");
  expect(chained.exception).toMatchObject({ message: "outer", cause: { type: "TypeError" } });
});

test("reports what is thrown whatever it is", async () => {
  expect((await execute("throw 5")).exception).toMatchObject({ type: "number", message: "5", frames: [] });
  expect((await execute("throw null")).exception).toMatchObject({ type: "null", message: "null" });
  const hostile = "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })";
  expect(await execute(hostile)).toMatchObject({ status: "error", exception: { type: "object" } });
  expect((await execute("const x = 1\nx +* 2")).exception).toMatchObject({
    type: "SyntaxError",
    frames: [{ line: 2, source: "x +* 2" }],
  });
  const group = await execute("throw new AggregateError([new Error('a'), new RangeError('b')], 'both')");
  expect(group.exception).toMatchObject({ message: "both\n  Error: a\n  RangeError: b", cause: { message: "a" } });
});

test("does not slow down exceptions that are caught", async () => {
  const code = "let n = 0; for (let i = 0; i < 2000; i++) { try { null.x } catch { n++ } }; n";
  const result = await execute(code);
  expect(result.value).toBe("2000");
  expect(result.durationMs).toBeLessThan(5_000);
});

test("gives up looking at locals when uncaught exceptions come in masses", async () => {
  const code =
    "process.on('unhandledRejection', () => {}); for (let i = 0; i < 2000; i++) Promise.reject(new Error(i)); 1";
  const result = await execute(code);
  expect(result.durationMs).toBeLessThan(10_000);
  const next = await execute("function f(n) { null.x }; f(3)");
  expect(next.exception?.frames.at(-1)?.locals).toEqual({ n: "3" });
});

test("stops an endless loop and keeps the state, and gives up on a loop after an await", async () => {
  await execute("globalThis.kept = 1");
  const loop = await execute("while (true) {}", 300);
  expect(loop).toMatchObject({ status: "timeout", exception: null });
  expect(await execute("kept")).toMatchObject({ value: "1", epoch: loop.epoch });
  const waiting = await execute("await new Promise(() => {})", 300);
  expect(waiting).toMatchObject({ status: "timeout", background: [expect.stringContaining("interrupted")] });
  expect(await execute("kept")).toMatchObject({ value: "1", epoch: loop.epoch, background: [] });
  const deaf = await execute("await 1; while (true) {}", 300);
  expect(deaf).toMatchObject({ status: "timeout", epoch: loop.epoch + 1 });
  expect((await execute("typeof kept")).value).toBe("'undefined'");
});

test.each([
  ["process.exit(3)", "exited", "exited with status 3"],
  ["process.abort()", "signalled", "SIGABRT"],
  ["require('node:child_process').execSync('kill -9 ' + process.pid)", "signalled", "SIGKILL"],
])("starts a new epoch after %s", async (code, status, reason) => {
  const { epoch } = await execute("1");
  const result = await execute(`console.log('before'); ${code}`);
  expect(result).toMatchObject({ status, epoch: epoch + 1, stdout: { text: "before\n" } });
  expect(result.stderr.text).toContain(reason);
  expect(result.stderr.text).not.toContain("debugger");
  expect((await execute("1")).value).toBe("1");
});
