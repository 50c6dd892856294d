import { randomInt } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { expectOnePullRequest, survive } from "./crash-scene.ts";
import { answersOf, crashSchedules } from "./crash-schedules.ts";
import { killPoints } from "./kill-points.ts";
import { ServiceLanes } from "./service-lanes.ts";

/** The seed is in the title of every test; the environment repeats one, and asks for more schedules. */
const seed = Number(process.env["SEED"] ?? randomInt(1_000_000));
const count = Number(process.env["CRASH_SCHEDULES"] ?? killPoints.length);

const lanes = new ServiceLanes();

afterAll(() => lanes[Symbol.asyncDispose]());

describe.concurrent(`killed without warning, SEED=${seed}`, () => {
  test.each(crashSchedules(seed, count))(
    "$title",
    ({ dialect, kills }) =>
      lanes.use(dialect, async (service) => {
        const survived = await survive(service, kills);
        expect(survived.answers).toBe(answersOf(kills));
        await expectOnePullRequest(service, survived);
      }),
    1_200_000,
  );
});
