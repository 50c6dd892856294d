import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { traceEvent } from "../../src/trace/event.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { conftestWriter, noOpFinisher, skipMarkerWriter, testEditor } from "../model-server/policies/cheats.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { fixWith, planFor, projects } from "./fix-with.ts";
import { pythonProject } from "./projects.ts";
import { outputOf, projectFolder, runFix } from "./run-fix.ts";

test.each(projects)("%s: an honest repair is proven", async (_, project) => {
  const { exitCode, output } = await fixWith(honestFixer(planFor(project)), project.files, ["--test", project.command]);
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

test("the trace holds every event and no key", async () => {
  const server = await startModelServer({ policy: honestFixer(planFor(pythonProject)) });
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
