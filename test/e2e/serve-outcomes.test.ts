import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { testEditor } from "../model-server/policies/cheats.ts";
import { endpointDown } from "../model-server/policies/faults.ts";
import { looper } from "../model-server/policies/stuck.ts";
import { fixer, nobody, proposals, pushed } from "./expectations.ts";
import { greenPython, pythonProject } from "./projects.ts";
import { concluded, eventually, redRepository, turnRed } from "./red-repository.ts";
import { type Service, startService } from "./run-serve.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterEach(async () => {
  await service.twin.webhooks.settled();
  expect(service.twin.journal.problems()).toEqual([]);
});

afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await service[Symbol.asyncDispose]();
});

test.each([
  ["not reproduced", { files: greenPython, policy: nobody, title: "Not reproduced", reason: /all 3 tests passed/i }],
  [
    "red on the base branch alike",
    {
      base: pythonProject.files,
      files: { ...pythonProject.files, "notes.txt": "a\n" },
      policy: nobody,
      title: "Red on the base branch too",
      reason: /at the head of main/,
    },
  ],
  ["a cheat", { policy: testEditor([pythonProject.testEdit]), title: "No repair held", reason: /refused three times/ }],
  ["a loop", { policy: looper(), title: "No repair found", reason: /./ }],
  [
    "an endpoint that is down",
    { policy: endpointDown("hang-up"), title: "Autolith is broken", reason: /127\.0\.0\.1/ },
  ],
])("%s: a neutral check with one clear line, and nothing pushed", async (_, { policy, title, reason, ...files }) => {
  service.think(policy);
  const red = await redRepository(service.twin, files);
  await turnRed(service.twin, red.repository, "topic");
  const check = await concluded(service.twin, red);
  expect(check).toMatchObject({ conclusion: "neutral", output: { title } });
  const [line = "", blank, next] = check.output.summary?.split("\n") ?? [];
  expect(line).toMatch(reason);
  expect([blank, next]).toEqual(["", expect.stringMatching(/^Next: /)]);
  expect(proposals(service.twin, red.repository)).toEqual([]);
  expect(await pushed(red.repository)).toEqual([]);
  expect(red.pull.comments).toHaveLength(1);
});

test("what needs another operating system is said, with no token spent", async () => {
  service.think(nobody);
  const red = await redRepository(service.twin);
  await turnRed(service.twin, red.repository, "topic", { runsOn: "windows-latest" });
  const check = await concluded(service.twin, red);
  expect(check).toMatchObject({ conclusion: "neutral", output: { title: "Cannot run here" } });
  expect(check.output.summary).toContain("windows-latest");
});

test("a push during the run makes the job stale, and nothing is pushed", async () => {
  const red = await redRepository(service.twin);
  let push: Promise<string> | null = null;
  service.think((conversation) => {
    push ??= service.twin.repositories.commit(red.repository, {
      branch: "topic",
      files: { "notes.txt": "more\n" },
      author: red.ada,
    });
    return fixer(conversation);
  });
  await turnRed(service.twin, red.repository, "topic");
  const check = await concluded(service.twin, red);
  expect(check).toMatchObject({ conclusion: "neutral", output: { title: "Overtaken by a newer commit" } });
  expect(proposals(service.twin, red.repository)).toEqual([]);
  expect(await pushed(red.repository)).toEqual([]);
  expect(red.pull.pull.head.sha).toBe(await push);
});

test("help and mistyped commands are answered once", async () => {
  service.think(nobody);
  const red = await redRepository(service.twin);
  service.twin.issues.comment(red.pull, red.ada, "/autolith help");
  service.twin.issues.comment(red.pull, red.ada, "/autolith fxi");
  await eventually("two answers", () => (red.pull.comments.length === 4 ? true : undefined));
  const answers = red.pull.comments.slice(2).map(({ body }) => body);
  expect(answers.join("\n")).toContain("- `/autolith stop`");
  expect(answers.join("\n")).toContain("Did you mean `/autolith fix`?");
});
