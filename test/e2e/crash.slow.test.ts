import { randomInt } from "node:crypto";
import { afterAll, describe, expect, test, vi } from "vitest";
import { expectOnePullRequest, survive } from "./crash-scene.ts";
import { answersOf, crashSchedules } from "./crash-schedules.ts";
import { type KillPoint, killPoints } from "./kill-points.ts";
import type { Service } from "./run-serve.ts";
import { ServiceLanes } from "./service-lanes.ts";

/** Every kill point comes first once, with other second ones each time. The seed is in the name of every test, and repeats it. */
const seed = Number(process.env["SEED"] ?? randomInt(1_000_000));
const count = Number(process.env["CRASH_SCHEDULES"] ?? killPoints.length);

// The lanes say how many go on at once; a test that waits for one must not keep another from a free one.
vi.setConfig({ maxConcurrency: count });

const lanes = new ServiceLanes();

afterAll(() => lanes[Symbol.asyncDispose]());

describe.concurrent(`killed without warning, SEED=${seed}`, () => {
  for (const { title, dialect, kills } of crashSchedules(seed, count)) {
    test(title, () => lanes.use(dialect, (service) => expectToSurvive(service, kills)), 1_200_000);
  }
});

async function expectToSurvive(service: Service, kills: readonly KillPoint[]): Promise<void> {
  const survived = await survive(service, kills);
  expect(survived.answers).toBe(answersOf(kills));
  await expectOnePullRequest(service, survived);
}
