import { setTimeout as sleep } from "node:timers/promises";
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

test("keeps variables, functions and classes, and lets all of them be declared again", async () => {
  await execute("const side = 3; let name = 'a'; class Shape {}; function area(x) { return x * x }");
  const again = "const side = 4; let name = 'b'; class Shape { static n = 1 }; area(side) + name + Shape.n";
  expect(await execute(again)).toMatchObject({ status: "ok", value: "'16b1'", epoch: expect.any(Number) });
});

test.each([
  ["1 + 1", "2"],
  ["const unused = 5", null],
  ["undefined", null],
  ["null", "null"],
  ["-0", "-0"],
  ["NaN", "NaN"],
  ["10n ** 20n", "100000000000000000000n"],
  ["'é'", "'é'"],
  ["Symbol('s')", "Symbol(s)"],
  ["({ a: [1, { b: 2 }] })", "{ a: [ 1, { b: 2 } ] }"],
  ["new Map([[1, 'x']])", "Map(1) { 1 => 'x' }"],
  ["await Promise.resolve(7)", "7"],
  ["for (const x of [1, 2]) x * 2", "4"],
  ["", null],
])("gives the value of %j", async (code, value) => {
  expect(await execute(code)).toMatchObject({ status: "ok", value, exception: null, stderr: { text: "" } });
});

test("bounds values, and survives those that throw while they are looked at", async () => {
  const { value } = await execute("Array.from({ length: 1e6 }, (_, i) => 'x'.repeat(100))");
  expect(value?.length).toBeLessThanOrEqual(16_384);
  const custom = "({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new RangeError('no') } })";
  expect((await execute(custom)).value).toContain("inspect threw RangeError");
});

test("separates standard output from standard error, and takes what children print", async () => {
  const code =
    "console.log('out'); console.error('err'); process.stdout.write('raw\\n')\n" +
    "require('node:child_process').execFileSync('echo', ['child'], { stdio: 'inherit' });";
  const result = await execute(code);
  expect(result.stdout.text).toBe("out\nraw\nchild\n");
  expect(result.stderr.text).toBe("err\n");
});

test("takes more output than a pipe holds", async () => {
  const result = await execute("for (let i = 0; i < 3000; i++) console.log('x'.repeat(99)); 'end'");
  expect(result).toMatchObject({ value: "'end'", stdout: { droppedBytes: 300_000 - 2 * 65_536 } });
});

test("requires and imports workspace files, statically and dynamically", async () => {
  await supervisor.put({
    "lib/math.mjs": "export const one = 1\nexport default (x) => x + one\n",
    "lib/text.cjs": "exports.shout = (text) => text.toUpperCase()\n",
    "data.json": '{ "n": 5 }',
  });
  const code =
    "import add, { one as uno } from './lib/math.mjs'\nimport * as math from './lib/math.mjs';\n" +
    "import data from './data.json' with { type: 'json' }\nimport {\n  basename\n} from 'node:path'\n" +
    "const { shout } = require('./lib/text.cjs')\nconst later = () => import('./lib/math.mjs');\n" +
    "[add(uno), math.one, data.n, basename('/a/b'), shout('x'), (await later()).one].join()";
  expect(await execute(code)).toMatchObject({ status: "ok", value: "'2,1,5,b,X,1'", stderr: { text: "" } });
  const failed = await execute("import {\n  basename\n} from 'node:path'\n\nnull.x");
  expect(failed.exception?.frames).toMatchObject([{ line: 5, source: "null.x" }]);
  const wrong = await execute("import { basename } from 'node:path'\nconst x =* 5");
  expect(wrong.exception).toMatchObject({ type: "SyntaxError", frames: [{ line: 2, source: "const x =* 5" }] });
  expect((await execute("const text = \"import a from 'b'\"; text.length")).value).toBe("17");
});

test("names loaded files that have changed since, by content", async () => {
  await supervisor.put({ "stale.mjs": "export const value = 1\n", "same.cjs": "exports.value = 1\n" });
  await execute("(await import('./stale.mjs')).value + require('./same.cjs').value");
  await supervisor.put({ "stale.mjs": "export const value = 2\n", "same.cjs": "exports.value = 1\n" });
  expect((await execute("1")).stale).toEqual(["stale.mjs"]);
});

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

test("names timers, servers and children that are still running, and prints what fails among them", async () => {
  await supervisor.done({ verb: "sweep" });
  await execute("1");
  const code =
    "var timer = setInterval(() => {}, 1000); var server = require('node:net').createServer().listen(0)\n" +
    "var child = require('node:child_process').spawn('sleep', ['100']); 1";
  expect((await execute(code)).background.toSorted()).toEqual(["child process", "listening server", "timer"]);
  await execute(
    "clearInterval(timer); server.close(); child.kill(); await new Promise((done) => child.on('close', done))",
  );
  expect((await execute("1")).background).toEqual([]);
  await execute("setTimeout(() => { throw new Error('in the background') }, 50); 1");
  const later = await execute("await new Promise((done) => setTimeout(done, 200)); 'alive'");
  expect(later).toMatchObject({ status: "ok", value: "'alive'" });
  expect(later.stderr.text).toMatch(/^Uncaught Error: in the background\n {4}at .*<execution-\d+>/);
});

test("never mixes what an earlier execution's child writes into a later one", async () => {
  const child =
    "require('node:child_process').spawn('sh', ['-c', 'while echo late; do sleep 0.01; done'], { stdio: 'inherit' })";
  await execute(`var noisy = ${child}; 1`);
  await sleep(100);
  const result = await execute(
    "await new Promise((done) => setTimeout(done, 200)); console.log('mine'); noisy.exitCode",
  );
  expect(result).toMatchObject({ stdout: { text: "mine\n" }, value: "null" });
  await execute("noisy.kill()");
});

test("starts every execution in the workspace, with interrupts and a guard against what nobody catches", async () => {
  await execute("process.chdir('/'); process.removeAllListeners()");
  expect((await execute("process.cwd()")).value).toBe(`'${supervisor.workspace}'`);
  const { epoch } = await execute("process.on('SIGINT', () => {})");
  expect(await execute("for (;;) {}", 300)).toMatchObject({ status: "timeout", epoch });
  await execute("setTimeout(() => { throw new Error('late') }, 10)");
  expect(await execute("await new Promise((done) => setTimeout(done, 50))")).toMatchObject({ status: "ok", epoch });
});
