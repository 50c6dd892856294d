import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../model-server/answer.ts";
import { endpointDown } from "../model-server/policies/faults.ts";
import { givesUp } from "../model-server/policies/stuck.ts";
import { fixer } from "./expectations.ts";
import { concluded, eventually, ownChecks, redRepository, turnRed } from "./red-repository.ts";
import { type Service, startService } from "./run-serve.ts";
import { modelKey } from "./serve-process.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

test.each([
  ["killed", "kill"],
  ["asked to end", "stop"],
] as const)("a job whose process is %s goes on after the next start", async (_, how) => {
  const { twin } = service;
  let ending: Promise<unknown> | null = null;
  service.think((conversation) => {
    if (conversation.calls.length === 2) ending ??= service[how]();
    return fixer(conversation);
  });
  const red = await redRepository(twin);
  await turnRed(twin, red.repository, "topic");
  await await eventually("an ending", () => ending ?? undefined);
  expect(ownChecks(twin, red.repository, red.sha)).toMatchObject([{ status: "in_progress" }]);
  await service.start();
  const check = await concluded(twin, red);
  expect(check.conclusion).toBe("success");
  expect(ownChecks(twin, red.repository, red.sha)).toHaveLength(1);
  expect(red.pull.comments).toHaveLength(1);
  expect(twin.pulls.of(red.repository)).toHaveLength(2);
});

test("a repair that was proven before the process died is published without a model call", async () => {
  const { twin } = service;
  let asked = 0;
  service.think((conversation) => {
    asked += 1;
    return fixer(conversation);
  });
  const red = await redRepository(twin);
  let ending: Promise<void> | null = null;
  const isRef = (path: string) => path.startsWith(`/repos/${red.repository.owner.login}/words/git/refs`);
  twin.fault({
    method: "POST",
    when: ({ path }) => {
      if (!isRef(path)) return false;
      ending ??= service.kill();
      return true;
    },
    drop: true,
  });
  await turnRed(twin, red.repository, "topic");
  await await eventually("an ending", () => ending ?? undefined);
  const before = asked;
  await service.start();
  const check = await concluded(twin, red);
  expect(check.conclusion).toBe("success");
  expect(asked).toBe(before);
  const [proposal] = twin.pulls.of(red.repository).filter(({ pull }) => pull.base.ref === "topic");
  expect(proposal?.body).toContain("<summary>Iteration 1: run_tests</summary>");
});

test("a check that failed while the service was down is repaired after its start", async () => {
  const { twin } = service;
  service.think(fixer);
  await service.stop();
  const red = await redRepository(twin);
  await turnRed(twin, red.repository, "topic");
  await twin.webhooks.settled();
  await service.start();
  expect((await concluded(twin, red)).conclusion).toBe("success");
});

test("a command stops a running job", async () => {
  const { twin } = service;
  let isAsked = false;
  service.think((conversation) => {
    isAsked = true;
    return endpointDown("silence")(conversation);
  });
  const red = await redRepository(twin);
  await turnRed(twin, red.repository, "topic");
  await eventually("a model call", () => isAsked || undefined);
  twin.issues.comment(red.pull, red.ada, "/autolith stop");
  const check = await concluded(twin, red);
  expect(check).toMatchObject({ conclusion: "cancelled", output: { title: "Cancelled" } });
  expect(check.output.summary).toContain("Stopped by a command.");
});

test("a sandbox holds no secret of the service", async () => {
  const { twin } = service;
  const code = [
    "import os, pathlib",
    "print(dict(os.environ))",
    "for path in pathlib.Path('/proc').glob('[0-9]*/environ'):",
    "    try: print(path, path.read_bytes())",
    "    except OSError: pass",
    "print(pathlib.Path('/work/.git/config').read_text())",
  ].join("\n");
  service.think((conversation) =>
    conversation.calls.length === 0 ? calls("execute", { language: "python", code }) : givesUp()(conversation),
  );
  const red = await redRepository(twin);
  await turnRed(twin, red.repository, "topic");
  await concluded(twin, red);
  const seen =
    service
      .traces()
      .split("\n")
      .find((line) => line.includes("/proc/") && line.includes('"observation"')) ?? "";
  expect(seen).toContain("environ");
  expect(seen).not.toMatch(/PRIVATE_KEY|WEBHOOK_SECRET|OPENAI|APP_ID|http|remote|\[redacted\]/);
  expect(service.log() + service.traces()).not.toContain(modelKey);
});
