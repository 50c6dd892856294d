import { afterAll, beforeAll, expect, test } from "vitest";
import { type ObjectStore, openObjectStore } from "../../src/checkout/object-store.ts";
import { judgeReproduction } from "../../src/checkout/reproduction-policy.ts";
import { type Checkout, snapshotFolder } from "../../src/checkout/snapshot.ts";
import { settleReproduction } from "../../src/loop/settle-reproduction.ts";
import { editFile } from "../../src/loop/tool/edit-file.ts";
import { openWorkspace } from "../../src/loop/workspace.ts";
import type { TestCommand } from "../../src/runner/test-command.ts";
import type { TraceRecord } from "../../src/trace/event.ts";
import type { NewFile } from "../../src/verify/verify-reproduction.ts";
import { temporaryFolder } from "../checkout/temporary-folder.ts";
import { file, workspaceDouble } from "../doubles/workspace-double.ts";

const { signal } = new AbortController();
const command = { shell: "pytest", cwd: "/work", env: {}, runner: "pytest" } as TestCommand;
let store: ObjectStore;
let checkout: Checkout;

beforeAll(async () => {
  store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({ "a.py": "x = 1\n", "tests/test_a.py": "def test_a():\n    pass\n" });
  checkout = await snapshotFolder(folder.path, store, signal);
});

afterAll(() => store[Symbol.asyncDispose]());

/** Writes files as the model does, then claims; gives what was looked at, what was observed and what became of the claim. */
async function claim(edits: Readonly<Record<string, string>>) {
  const double = await workspaceDouble(checkout);
  const workspace = openWorkspace({
    ...{ session: double.session, checkout, target: { command, ids: null }, executionMs: 1, testRunMs: 1 },
    judge: async (patch) => judgeReproduction(checkout, patch),
  });
  const observed: string[] = [];
  for (const [path, text] of Object.entries(edits)) {
    observed.push((await editFile.run({ path, old_text: "", new_text: text }, workspace, signal)).text);
  }
  // What a shell command left behind belongs to nothing.
  double.files.set("tests/test_shell.py", file("tests/test_shell.py", "x"));
  const looked: NewFile[] = [];
  const records: TraceRecord[] = [];
  const trace = { path: "", record: (record: TraceRecord) => void records.push(record), stage: () => Promise.reject() };
  const verify = async (found: NewFile) => {
    looked.push(found);
    return { kind: "refused" as const, reasons: ["it is green"] };
  };
  const settled = await settleReproduction({ workspace, verify, trace })(signal);
  expect(records).toMatchObject([{ type: "reproduction", accepted: false }]);
  return { settled, looked: looked.map(({ path }) => path), observed };
}

test("the one new test file is looked at", async () => {
  const { settled, looked } = await claim({ "tests/test_b.py": "def test_b():\n    assert f() == 1\n" });
  expect(looked).toEqual(["tests/test_b.py"]);
  expect(settled).toEqual({ kind: "refused", reasons: ["it is green"] });
});

test("without a new file, or with two, nothing is looked at", async () => {
  const none = await claim({});
  expect(none).toMatchObject({ looked: [], settled: { reasons: [expect.stringContaining("no new test file")] } });
  const two = await claim({ "tests/test_b.py": "b = 1\n", "tests/test_c.py": "c = 1\n" });
  expect(two).toMatchObject({ looked: [], settled: { reasons: [expect.stringContaining("delete the others")] } });
});

test("the project stays as it is, and the claim says why", async () => {
  const { settled, looked, observed } = await claim({ "src/b.py": "b = 1\n" });
  expect(observed).toEqual([expect.stringContaining("no place for a test")]);
  expect(looked).toEqual([]);
  expect(settled).toMatchObject({ reasons: [expect.stringContaining("[no-test-path]"), expect.any(String)] });
});
