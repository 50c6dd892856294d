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
