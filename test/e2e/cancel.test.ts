import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../model-server/answer.ts";
import type { Policy } from "../model-server/policy.ts";
import { leftOvers } from "./left-overs.ts";
import { concluded, eventually, ownChecks, type RedRepository, redRepository, turnRed } from "./red-repository.ts";
import { type Service, startService } from "./run-serve.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service[Symbol.asyncDispose]());

/** From the moment that somebody acts to the moment that the job's container is gone, in milliseconds. */
const longest = 2_000;

/** Works in the sandbox for longer than any test waits. */
const busy: Policy = () => calls("shell", { command: "echo working; sleep 25" });

/** Starts a repair and waits until something runs in its container, then acts and measures. */
async function containerGoneAfter(act: (red: RedRepository) => unknown): Promise<{ red: RedRepository; ms: number }> {
  const { twin } = service;
  let isAsked = false;
  service.think((conversation) => {
    isAsked = true;
    return busy(conversation);
  });
  const red = await redRepository(twin);
  await turnRed(twin, red.repository, "topic");
  await eventually("a model call", () => isAsked || undefined);
  expect(await leftOvers(service.data)).not.toEqual([]);
  twin.clock.advance(2_000);
  const start = performance.now();
  await act(red);
  while ((await leftOvers(service.data)).length > 0) expect(performance.now() - start).toBeLessThan(30_000);
  return { red, ms: performance.now() - start };
}

test.each<[string, (red: RedRepository) => unknown, object, string]>([
  [
    "a command",
    ({ pull, ada }) => service.twin.issues.comment(pull, ada, "/autolith stop"),
    { conclusion: "cancelled", output: { title: "Cancelled" } },
    "Stopped by a command.",
  ],
  [
    "closing the pull request",
    ({ pull, ada }) => service.twin.pulls.setState(pull, "closed", ada),
    { conclusion: "cancelled", output: { title: "Cancelled" } },
    "The pull request was closed.",
  ],
  [
    "merging the pull request",
    ({ pull, ada }) => service.twin.pulls.merge(pull, ada),
    { conclusion: "cancelled", output: { title: "Cancelled" } },
    "The pull request was closed.",
  ],
  [
    "a newer commit",
    async ({ repository, ada }) => {
      service.think(busy);
      const files = { "notes.txt": "more\n" };
      await service.twin.repositories.commit(repository, { branch: "topic", files, author: ada });
    },
    { conclusion: "neutral", output: { title: "Overtaken by a newer commit" } },
    "A newer commit was pushed.",
  ],
])("%s ends a running job, its container within two seconds, and it is said once", async (_, act, end, words) => {
  const { red, ms } = await containerGoneAfter(act);
  const check = await concluded(service.twin, red);
  expect(check).toMatchObject(end);
  expect(check.output.summary).toContain(words);
  expect(ownChecks(service.twin, red.repository, red.sha)).toHaveLength(1);
  const own = red.pull.comments.filter(({ app }) => app !== null);
  expect(own.map(({ body }) => body)).toEqual([expect.stringContaining(words)]);
  expect(ms).toBeLessThan(longest);
});

test("removing the App ends a running job without a word", async () => {
  const { red, ms } = await containerGoneAfter(({ repository }) => {
    const installation = service.twin.installations.covering(repository);
    if (installation === undefined) throw new Error("the App is not installed");
    service.twin.installations.remove(installation);
  });
  expect(ms).toBeLessThan(longest);
  expect(ownChecks(service.twin, red.repository, red.sha)).toMatchObject([{ status: "in_progress" }]);
});
