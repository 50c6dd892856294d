import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectOnePullRequest, survive } from "./crash-scene.ts";
import { answersNeeded, killPoints } from "./kill-points.ts";
import { type Service, startService } from "./run-serve.ts";

describe("on PGlite", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ environment: { AUTOLITH_DEBOUNCE_SECONDS: "1" } });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each(killPoints)("killed $name", async (kill) => {
    const survived = await survive(service, [kill]);
    expect(survived.answers).toBe(answersNeeded + (kill.proven ? 0 : kill.answers));
    await expectOnePullRequest(service, survived);
  });
});
