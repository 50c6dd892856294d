import { afterAll, beforeAll, expect, test } from "vitest";
import { type ObjectStore, openObjectStore } from "../../src/checkout/object-store.ts";
import { judgePatch } from "../../src/checkout/patch-policy.ts";
import { type Checkout, snapshotFolder } from "../../src/checkout/snapshot.ts";
import { editFile } from "../../src/loop/tool/edit-file.ts";
import type { Workspace } from "../../src/loop/tool/tool.ts";
import type { TestCommand } from "../../src/runner/test-command.ts";
import { temporaryFolder } from "../checkout/temporary-folder.ts";
import { file, workspaceDouble } from "../doubles/workspace-double.ts";

const { signal } = new AbortController();
const command = { shell: "pytest", cwd: "/work", env: {}, runner: "pytest" } as TestCommand;
let store: ObjectStore;
let checkout: Checkout;

beforeAll(async () => {
  store = await openObjectStore(signal);
  using folder = temporaryFolder();
  folder.write({
    "src/tax.py": "def tax(net):\n    rate = 0.2\n    return net * rate\n",
    "src/twice.py": "a = 1\na = 1\n",
    "src/windows.py": "a = 1\r\nb = 2\r\n",
    "src/latin.py": Buffer.from("# caf\xe9\nx = 1\n", "latin1"),
    "src/hidden.py": "name = 'a\u200bb'\n",
    "data.bin": Buffer.from([0, 1, 2]),
    "tests/test_tax.py": "from src.tax import tax\n\n\ndef test_tax():\n    assert tax(10) == 1\n",
  });
  checkout = await snapshotFolder(folder.path, store, signal);
});

afterAll(() => store[Symbol.asyncDispose]());

async function edit(path: string, old_text: string, new_text: string) {
  const double = await workspaceDouble(checkout);
  double.files.set("build/out.py", file("build/out.py", "x = 1\n"));
  const workspace: Workspace = {
    session: double.session,
    checkout,
    target: { command, ids: ["tests/test_tax.py::test_tax"] },
    executionMs: 1_000,
    testRunMs: 1_000,
    created: new Set(),
    judge: (patch) => judgePatch(checkout, patch, { testFiles: ["tests/test_tax.py"] }),
    refusedEdits: [],
    epoch: 0,
    lastTestRun: null,
    touched: false,
    greenUntouched: false,
  };
  const observation = await editFile.run({ path, old_text, new_text }, workspace, signal);
  const now = double.files.get(path);
  const bytes = now === undefined || now === "other" ? null : Buffer.from(now.bytes);
  return { ...observation, bytes, workspace };
}

test("an exact text is replaced, and the line is named", async () => {
  const { text, bytes } = await edit("src/tax.py", "    rate = 0.2", "    rate = 0.1");
  expect(text).toBe("Edited src/tax.py at line 2.");
  expect(bytes?.toString()).toBe("def tax(net):\n    rate = 0.1\n    return net * rate\n");
});

test("a path as tracebacks show it is understood", async () => {
  expect((await edit("/work/src/tax.py", "0.2", "0.1")).text).toBe("Edited src/tax.py at line 2.");
});

test("a text that stands twice is refused, and the file stays", async () => {
  const { text, failed, bytes } = await edit("src/twice.py", "a = 1", "a = 2");
  expect(text).toContain("stands 2 times");
  expect(failed).toBe(true);
  expect(bytes?.toString()).toBe("a = 1\na = 1\n");
});

test("a text that is not there is refused with what is probably wrong", async () => {
  expect((await edit("src/tax.py", "rate  =  0.2", "x")).text).toContain("white space differs");
  expect((await edit("src/tax.py", "    2  rate = 0.2", "x")).text).toContain("line numbers");
  expect((await edit("src/tax.py", "nowhere", "x")).text).toContain("read the file again");
});

test("line ends of the file are kept", async () => {
  const { bytes } = await edit("src/windows.py", "a = 1\nb = 2", "a = 1\nb = 3\nc = 4");
  expect(bytes?.toString()).toBe("a = 1\r\nb = 3\r\nc = 4\r\n");
});

test("bytes that are not UTF-8 survive an edit beside them", async () => {
  const { bytes } = await edit("src/latin.py", "x = 1", "x = 2");
  expect(bytes).toEqual(Buffer.from("# caf\xe9\nx = 2\n", "latin1"));
});

test("text that the file's encoding cannot hold is refused", async () => {
  expect((await edit("src/latin.py", "x = 1", "x = '€'")).failed).toBe(true);
});

test("hidden characters are edited in the form in which they are shown", async () => {
  const { bytes } = await edit("src/hidden.py", "'a\\u{200b}b'", "'a\\u{200b}c'");
  expect(bytes?.toString()).toBe("name = 'a\u200bc'\n");
});

test("an escape that the model writes stays an escape", async () => {
  const { bytes } = await edit("src/escape.js", "", 'export const zero = "\\u{200b}";\n');
  expect(bytes?.toString()).toBe('export const zero = "\\u{200b}";\n');
});

test("a new file joins the patch", async () => {
  const { text, workspace } = await edit("src/rates.py", "", "RATE = 0.1\n");
  expect(text).toBe("Created src/rates.py.");
  expect([...workspace.created]).toEqual(["src/rates.py"]);
});

test("a file that exists is not created", async () => {
  expect((await edit("src/tax.py", "", "x = 1\n")).text).toContain("exists already");
});

test("a test is not edited, and the rule is remembered", async () => {
  const { text, bytes, workspace } = await edit("tests/test_tax.py", "== 1", "== 2");
  expect(text).toMatch(/^Refused: /);
  expect(bytes?.toString()).toContain("== 1");
  expect(workspace.refusedEdits).toEqual([expect.objectContaining({ rule: "edits-test", file: "tests/test_tax.py" })]);
});

test("a placeholder is refused", async () => {
  const { text, failed } = await edit("src/tax.py", "    rate = 0.2\n    return net * rate", "    ...");
  expect(text).toContain("placeholder");
  expect(failed).toBe(true);
});

test("binary files, missing files and paths outside are refused", async () => {
  expect((await edit("data.bin", "a", "b")).text).toContain("binary");
  expect((await edit("gone.py", "a", "b")).text).toContain("not a readable file");
  expect((await edit("../etc/passwd", "a", "b")).text).toContain("not a path inside");
  expect((await edit(".git/config", "", "b")).text).toContain("not a path inside");
});

test("an edit of a file that is not tracked says that it will not count", async () => {
  expect((await edit("build/out.py", "x = 1", "x = 2")).text).toContain("will not be part of the patch");
});
