import { expect, test } from "vitest";
import { rateLimited } from "../model-server/policies/faults.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { malformedArguments, wrongCalls } from "../model-server/policies/stuck.ts";
import { fixWith, planFor } from "./fix-with.ts";
import { hangingNode, hangingPython, nodeProject, partlyRedNode, partlyRedPython, pythonProject } from "./projects.ts";

/** Turns of the honest policy for the Python project: run, look, read, two edits, run, claim. */
const honestTurns = 7;

test("malformed calls are observations and count as iterations; requests that were turned away do not", async () => {
  const policy = rateLimited({ times: 2, retryAfter: "1" }, malformedArguments(honestFixer(planFor(pythonProject))));
  const { output, requests } = await fixWith(policy, pythonProject.files);
  expect(output.outcome).toBe("fixed");
  expect(output.iterations).toBe(wrongCalls.length + honestTurns);
  expect(requests).toBe(output.iterations + 2);
});

test.each([
  ["Python", hangingPython],
  ["Node", hangingNode],
])("%s: a test that hangs is repaired", async (_, project) => {
  const { output } = await fixWith(honestFixer(planFor(project)), project.files, ["--test-timeout", "8"]);
  expect(output).toMatchObject({ outcome: "fixed", proof: { redBefore: true, greenAfter: true, redOnRevert: true } });
});

test.each([
  ["Python", partlyRedPython, pythonProject, `python3 -m pytest ${pythonProject.testFile}`],
  ["Node", partlyRedNode, nodeProject, `node --test ${nodeProject.testFile}`],
])("%s: red tests that the command does not run are no concern", async (_, files, project, command) => {
  const { output } = await fixWith(honestFixer(planFor(project)), files, ["--test", command]);
  expect(output.outcome).toBe("fixed");
});

test.each([
  ["Python", partlyRedPython, pythonProject],
  ["Node", partlyRedNode, nodeProject],
])("%s: a partial repair is no repair", async (_, files, project) => {
  const { output } = await fixWith(honestFixer(planFor(project)), files);
  expect(output).toMatchObject({ outcome: "gave-up", patch: null, proof: { greenAfter: false } });
});
