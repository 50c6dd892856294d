import { expect, test } from "vitest";
import { openObjectStore } from "../../src/checkout/object-store.ts";
import { checkoutOfTree } from "../../src/checkout/snapshot.ts";
import type { FailedCheck } from "../../src/evidence/evidence.ts";
import { chooseJobCommand } from "../../src/job/job-command.ts";

const { signal } = new AbortController();

async function choose(
  checks: readonly Partial<FailedCheck>[],
  configured?: string,
  files: readonly string[] = ["test_a.py"],
) {
  await using store = await openObjectStore(signal);
  const blobs = await store.writeBlobs(
    files.map(() => Buffer.from("")),
    signal,
  );
  const entries = files.map((path, index) => ({ path, mode: "100644" as const, blob: blobs[index] ?? "" }));
  const checkout = await checkoutOfTree(store, await store.writeTree(entries, signal), signal);
  const bare = { name: "test", url: null, command: null, env: {}, needs: null, gap: null };
  return chooseJobCommand({
    checkout,
    configured,
    evidence: { checks: checks.map((check) => ({ ...bare, ...check })) },
  });
}

test("the configured command comes first, with the step's environment", async () => {
  const chosen = await choose([{ command: "npm test", env: { TZ: "Asia/Tokyo" } }], "pytest -x");
  expect(chosen).toMatchObject({ command: { shell: "pytest -x", runner: "pytest", env: { TZ: "Asia/Tokyo" } } });
});

test("of several failing steps one whose tests are reported is taken", async () => {
  const chosen = await choose([{ command: "make lint" }, { command: "pip install -e .\npytest -q" }]);
  expect(chosen).toMatchObject({ command: { shell: "pytest -q", runner: "pytest" } });
});

test("a step without a known runner is judged by its exit status", async () => {
  expect(await choose([{ command: "make check" }])).toMatchObject({
    command: { shell: "make check", runner: "command" },
  });
});

test("without a step's command the project is looked at", async () => {
  expect(await choose([{ gap: "no log" }])).toMatchObject({ command: { runner: "pytest" } });
});

test("what runs on another system is said, with what to do", async () => {
  const needs = "it runs on windows-latest, and sandboxes are Linux containers";
  expect(await choose([{ needs }])).toEqual({
    kind: "none",
    reason:
      "it cannot run here: it runs on windows-latest, and sandboxes are Linux containers; name a command that runs here by `test:` in .github/autolith.yml on the default branch",
  });
});

test("where nothing names a command, the gap is said", async () => {
  expect(await choose([{ gap: "the job's log has expired" }], undefined, ["README.md"])).toMatchObject({
    kind: "none",
    reason: expect.stringContaining("the job's log has expired"),
  });
});
