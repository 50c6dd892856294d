import { afterAll, describe, expect, test } from "vitest";
import { expectOnePullRequest, survive } from "./crash-scene.ts";
import { answersOf, crashSchedules } from "./crash-schedules.ts";
import type { KillPoint } from "./kill-points.ts";
import type { Service } from "./run-serve.ts";
import { ServiceLanes } from "./service-lanes.ts";

/** CI runs the same few each time; the environment asks for others and for more. The seed is in the name of every test. */
const seed = Number(process.env["SEED"] ?? 3);
const count = Number(process.env["CRASH_SCHEDULES"] ?? 8);

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
