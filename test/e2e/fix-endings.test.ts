import { expect, test } from "vitest";
import { calls } from "../model-server/answer.ts";
import { endpointDown } from "../model-server/policies/faults.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { chatterbox, givesUp, looper } from "../model-server/policies/stuck.ts";
import type { Policy } from "../model-server/policy.ts";
import { fixWith, nobody, planFor } from "./fix-with.ts";
import { flakyNode, flakyPython, greenNode, greenPython, nodeProject, pythonProject } from "./projects.ts";

test("a loop that does not move is nudged, then stopped as stuck", async () => {
  const { output, stderr } = await fixWith(looper(), pythonProject.files);
  expect(output).toMatchObject({ outcome: "stuck", iterations: 6, proof: null });
  expect(stderr).toContain("3 times");
});

test("a model that only talks is stopped as stuck", async () => {
  const { output } = await fixWith(chatterbox(), nodeProject.files);
  expect(output).toMatchObject({ outcome: "stuck", iterations: 6 });
});

test("a model that gives up ends the run with its reason", async () => {
  const { output, exitCode } = await fixWith(givesUp("the test contradicts the documentation"), pythonProject.files);
  expect(output).toMatchObject({
    outcome: "gave-up",
    reason: expect.stringContaining("the test contradicts the documentation"),
  });
  expect(exitCode).toBe(1);
});

test("the limit of iterations ends the run and is named first", async () => {
  const { output } = await fixWith(honestFixer(planFor(pythonProject)), pythonProject.files, ["--max-iterations", "2"]);
  expect(output).toMatchObject({ outcome: "exhausted", iterations: 2, reason: expect.stringMatching(/^iterations: /) });
});

test("the limit of tokens ends the run before the call that would break it", async () => {
  const usage = { inputTokens: 399_000, cachedTokens: 0, outputTokens: 500 };
  const greedy: Policy = () => ({ ...calls("run_tests", {}), usage });
  const { output } = await fixWith(greedy, pythonProject.files);
  expect(output).toMatchObject({ outcome: "exhausted", iterations: 1, reason: expect.stringMatching(/^tokens: /) });
});

test("an endpoint that is down is broken infrastructure", async () => {
  const { output, exitCode } = await fixWith(endpointDown("hang-up"), pythonProject.files);
  expect(output.outcome).toBe("infrastructure");
  expect(exitCode).toBe(3);
});

test.each([
  ["Python", greenPython],
  ["Node", greenNode],
])("%s: green tests end as not reproduced, without a model call", async (_, files) => {
  const { output, requests } = await fixWith(nobody, files);
  expect(output).toMatchObject({ outcome: "not-reproduced", iterations: 0, proof: null });
  expect(requests).toBe(0);
});

test.each([
  ["Python", flakyPython],
  ["Node", flakyNode],
])("%s: a flaky test ends as flaky with its rate, without a model call", async (_, files) => {
  const { output, requests } = await fixWith(nobody, files);
  expect(output).toMatchObject({ outcome: "flaky", reason: expect.stringMatching(/red in \d+ of \d+ runs/) });
  expect(requests).toBe(0);
});
