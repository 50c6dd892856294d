import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { traceEvent } from "../../src/trace/event.ts";
import { calls } from "../model-server/answer.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { conftestWriter, noOpFinisher, skipMarkerWriter, testEditor } from "../model-server/policies/cheats.ts";
import { endpointDown, rateLimited } from "../model-server/policies/faults.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { chatterbox, givesUp, looper, malformedArguments, wrongCalls } from "../model-server/policies/stuck.ts";
import type { Policy } from "../model-server/policy.ts";
import {
  flakyNode,
  flakyPython,
  greenNode,
  greenPython,
  hangingNode,
  hangingPython,
  nodeProject,
  type Project,
  type ProjectFiles,
  partlyRedNode,
  partlyRedPython,
  pythonProject,
} from "./projects.ts";
import { digestOf, type FixOutput, outputOf, projectFolder, runFix } from "./run-fix.ts";

interface Fixed {
  readonly exitCode: number | null;
  readonly output: FixOutput;
  readonly folder: string;
  readonly stderr: string;
  /** Requests that the model's endpoint saw. */
  readonly requests: number;
}

/** Runs `autolith fix --json` on a new folder and checks that it was left as it was. */
async function fixWith(policy: Policy, files: ProjectFiles, args: readonly string[] = []): Promise<Fixed> {
  const server = await startModelServer({ policy });
  onTestFinished(async () => server[Symbol.asyncDispose]());
  const folder = projectFolder(files);
  const before = digestOf(folder);
  const run = await runFix(["--repo", folder, "--json", ...args], { modelUrl: server.url });
  expect(digestOf(folder)).toBe(before);
  expect(server.problems).toEqual([]);
  return {
    exitCode: run.exitCode,
    output: outputOf(run),
    folder,
    stderr: run.stderr,
    requests: server.requests.length,
  };
}

function plan(project: Project) {
  return { edits: project.repair, root_cause: "The code was wrong.", summary: "Corrected the code." };
}

/** A model call is a surprise. */
const nobody: Policy = () => {
  throw new Error("no model call was expected");
};

/** Turns of the honest policy for the Python project: look, run, read, two edits, run, claim. */
const honestTurns = 7;

const projects = [
  ["Python", pythonProject],
  ["Node", nodeProject],
] as const;

test.each(projects)("%s: an honest repair is proven", async (_, project) => {
  const { exitCode, output } = await fixWith(honestFixer(plan(project)), project.files, ["--test", project.command]);
  expect(output).toMatchObject({
    outcome: "fixed",
    proof: { redBefore: true, greenAfter: true, redOnRevert: true, regressions: [], findings: [] },
  });
  expect(output.patch).toContain(`diff --git a/${project.repair[0]?.path}`);
  expect(exitCode).toBe(0);
});

test("a plain command is proven by its exit status", async () => {
  const files = {
    "area.py": "def area(width, height):\n    return width + height\n",
    "check.sh": 'test "$(python3 -c "from area import area; print(area(3, 4))")" = 12\n',
  };
  const edits = [{ path: "area.py", old_text: "width + height", new_text: "width * height" }];
  const policy = honestFixer({ edits, root_cause: "Added instead of multiplied.", summary: "Multiply." });
  const { output } = await fixWith(policy, files, ["--test", "sh check.sh"]);
  expect(output).toMatchObject({ outcome: "fixed", proof: { redBefore: true, greenAfter: true, redOnRevert: true } });
});

test.each(projects)("%s: an edited test is refused three times, and the rule is named", async (_, project) => {
  const { exitCode, output } = await fixWith(testEditor([project.testEdit]), project.files);
  expect(output).toMatchObject({ outcome: "rejected", patch: null });
  expect(output.proof?.findings).toContainEqual(
    expect.objectContaining({ rule: "edits-test", file: project.testFile }),
  );
  expect(exitCode).toBe(1);
});

test("Python: a skip marker in a test is refused", async () => {
  const policy = skipMarkerWriter({ path: "tests/test_count.py", line: "def test_white_space_only():" });
  const { output } = await fixWith(policy, pythonProject.files);
  expect(output.outcome).toBe("rejected");
  expect(output.proof?.findings.map((finding) => finding.rule)).toContain("edits-test");
});

test("Python: a conftest.py that turns every report green is refused", async () => {
  const { output } = await fixWith(conftestWriter(), pythonProject.files);
  expect(output.outcome).toBe("rejected");
  expect(output.proof?.findings).toContainEqual(expect.objectContaining({ file: "conftest.py", severity: "error" }));
});

test.each(projects)("%s: claiming without a change is refused", async (_, project) => {
  const { output } = await fixWith(noOpFinisher(), project.files);
  expect(output).toMatchObject({ outcome: "rejected", iterations: 3 });
  expect(output.proof).toMatchObject({ greenAfter: false, findings: [{ rule: "no-change" }] });
});

test("a loop that does not move is nudged, then stopped as stuck", async () => {
  const { output, stderr } = await fixWith(looper(), pythonProject.files);
  expect(output).toMatchObject({ outcome: "stuck", iterations: 6, proof: null });
  expect(stderr).toContain("3 times");
});

test("a model that only talks is stopped as stuck", async () => {
  const { output } = await fixWith(chatterbox(), nodeProject.files);
  expect(output).toMatchObject({ outcome: "stuck", iterations: 6 });
});

test("malformed calls are observations and count as iterations; requests that were turned away do not", async () => {
  const policy = rateLimited({ times: 2, retryAfter: "1" }, malformedArguments(honestFixer(plan(pythonProject))));
  const { output, requests } = await fixWith(policy, pythonProject.files);
  expect(output.outcome).toBe("fixed");
  expect(output.iterations).toBe(wrongCalls.length + honestTurns);
  expect(requests).toBe(output.iterations + 2);
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
  const { output } = await fixWith(honestFixer(plan(pythonProject)), pythonProject.files, ["--max-iterations", "2"]);
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

test.each([
  ["Python", hangingPython],
  ["Node", hangingNode],
])("%s: a test that hangs is repaired", async (_, project) => {
  const { output } = await fixWith(honestFixer(plan(project)), project.files, ["--test-timeout", "8"]);
  expect(output).toMatchObject({ outcome: "fixed", proof: { redBefore: true, greenAfter: true, redOnRevert: true } });
});

test.each([
  ["Python", partlyRedPython, pythonProject, `python3 -m pytest ${pythonProject.testFile}`],
  ["Node", partlyRedNode, nodeProject, `node --test ${nodeProject.testFile}`],
])("%s: red tests that the command does not run are no concern", async (_, files, project, command) => {
  const { output } = await fixWith(honestFixer(plan(project)), files, ["--test", command]);
  expect(output.outcome).toBe("fixed");
});

test.each([
  ["Python", partlyRedPython, pythonProject],
  ["Node", partlyRedNode, nodeProject],
])("%s: a partial repair is no repair", async (_, files, project) => {
  const { output } = await fixWith(honestFixer(plan(project)), files);
  expect(output).toMatchObject({ outcome: "gave-up", patch: null, proof: { greenAfter: false } });
});

test("the trace holds every event and no key", async () => {
  const server = await startModelServer({ policy: honestFixer(plan(pythonProject)) });
  onTestFinished(async () => server[Symbol.asyncDispose]());
  const folder = projectFolder(pythonProject.files);
  const traceFile = join(projectFolder({}), "trace.jsonl");
  const run = await runFix(["--repo", folder, "--json", "--trace-out", traceFile], {
    modelUrl: server.url,
    environment: { OPENAI_API_KEY: "sk-test-0123456789abcdef" },
  });
  expect(outputOf(run)).toMatchObject({ outcome: "fixed", trace: traceFile });
  const text = readFileSync(traceFile, "utf8");
  const events = text
    .trimEnd()
    .split("\n")
    .map((each) => traceEvent.parse(JSON.parse(each)));
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.type === "turn")).toHaveLength(outputOf(run).iterations);
  expect(text + run.stdout + run.stderr).not.toContain("sk-test-0123456789abcdef");
});
