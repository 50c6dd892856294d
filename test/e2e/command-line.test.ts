import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Docker from "dockerode";
import { expect, onTestFinished, test } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { looper } from "../model-server/policies/stuck.ts";
import type { Policy } from "../model-server/policy.ts";
import { greenPython, pythonProject } from "./projects.ts";
import { digestOf, outputOf, projectFolder, runFix } from "./run-fix.ts";

const nobody: Policy = () => {
  throw new Error("no model call was expected");
};
const honest = honestFixer({ edits: pythonProject.repair, root_cause: "Wrong code.", summary: "Corrected it." });

async function modelServer(policy: Policy): Promise<ModelServer> {
  const server = await startModelServer({ policy });
  onTestFinished(async () => server[Symbol.asyncDispose]());
  return server;
}

/** Ids of containers and names of volumes that a process has left behind. */
async function leftBy(pid: number | undefined): Promise<string[]> {
  const docker = new Docker();
  const filters = { label: [`dev.autolith.owner.pid=${pid}`] };
  const containers = await docker.listContainers({ all: true, filters });
  const { Volumes } = await docker.listVolumes({ filters });
  return [...containers.map(({ Id }) => Id), ...(Volumes ?? []).map(({ Name }) => Name)];
}

test.each([
  ["without --repo", []],
  ["with an unknown option", ["--repo", ".", "--fast"]],
  ["with a folder that does not exist", ["--repo", "/does/not/exist"]],
  ["with a limit of no iterations", ["--repo", ".", "--max-iterations", "0"]],
  ["with a limit that is no number", ["--repo", ".", "--test-timeout", "soon"]],
])("%s the exit status is 2, with a word of help and nothing on stdout", async (_, args) => {
  const run = await runFix([...args, "--json"], { modelUrl: "http://127.0.0.1:9/v1" });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).not.toBe("");
  expect(run.stderr).not.toContain("    at ");
  expect(run.stdout).toBe("");
});

test.each([
  ["a mistyped variable", { AUTOLITH_MODLE: "x" }, /did you mean AUTOLITH_MODEL/],
  ["an endpoint without a model's name", { AUTOLITH_MODEL: "" }, /AUTOLITH_MODEL is required/],
])("%s is wrong configuration", async (_, environment, message) => {
  const run = await runFix(["--repo", projectFolder(greenPython)], { modelUrl: "http://127.0.0.1:9/v1", environment });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toMatch(message);
});

test("a folder without tests is wrong use, and the message says what to name", async () => {
  const run = await runFix(["--repo", projectFolder({ "readme.md": "x" })], { modelUrl: "http://127.0.0.1:9/v1" });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain("--test");
});

test("an invalid .github/autolith.yml is named with its line", async () => {
  const folder = projectFolder({ ...greenPython, ".github/autolith.yml": "test: pytest\n\ntets: x\n" });
  const run = await runFix(["--repo", folder], { modelUrl: "http://127.0.0.1:9/v1" });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(".github/autolith.yml:3");
});

test.each([
  [
    "an engine that does not answer",
    { DOCKER_HOST: "unix:///nowhere/docker.sock" },
    /unix:\/\/\/nowhere\/docker\.sock/,
  ],
  [
    "an image that does not exist",
    { AUTOLITH_SANDBOX_IMAGE: "autolith/none:0" },
    /no image autolith\/none:0.*npm run setup/,
  ],
])("%s is broken infrastructure, said in one JSON line", async (_, environment, message) => {
  const server = await modelServer(nobody);
  const run = await runFix(["--repo", projectFolder(pythonProject.files), "--json"], {
    modelUrl: server.url,
    environment,
  });
  expect(run.exitCode).toBe(3);
  expect(outputOf(run)).toMatchObject({
    outcome: "infrastructure",
    reason: expect.stringMatching(message),
    patch: null,
  });
});

test("--apply writes the proven patch to the folder, and --patch-out writes what git can apply", async () => {
  const server = await modelServer(honest);
  const folder = projectFolder(pythonProject.files);
  const untouched = projectFolder(pythonProject.files);
  const patchFile = join(projectFolder({}), "fix.patch");
  const run = await runFix(["--repo", folder, "--apply", "--patch-out", patchFile], { modelUrl: server.url });
  expect(run.exitCode).toBe(0);
  expect(await leftBy(run.pid)).toEqual([]);
  execFileSync("git", ["apply", patchFile], { cwd: untouched });
  expect(digestOf(folder)).toBe(digestOf(untouched));
  expect(run.stdout).toBe(readFileSync(patchFile, "utf8"));
});

test("without a repair nothing is written", async () => {
  const server = await modelServer(looper());
  const folder = projectFolder(pythonProject.files);
  const before = digestOf(folder);
  const patchFile = join(projectFolder({}), "fix.patch");
  const run = await runFix(["--repo", folder, "--apply", "--patch-out", patchFile], { modelUrl: server.url });
  expect(run.exitCode).toBe(1);
  expect(digestOf(folder)).toBe(before);
  expect(existsSync(patchFile)).toBe(false);
});

test("a folder that changes meanwhile is not overwritten", async () => {
  let folder = "";
  const server = await modelServer((conversation) => {
    writeFileSync(join(folder, "words/count.py"), "# changed by its owner\n");
    return honest(conversation);
  });
  folder = projectFolder(pythonProject.files);
  const run = await runFix(["--repo", folder, "--apply", "--json"], { modelUrl: server.url });
  expect(run.exitCode).toBe(1);
  expect(outputOf(run).outcome).toBe("fixed");
  expect(run.stderr).toContain("words/count.py");
  expect(readFileSync(join(folder, "words/count.py"), "utf8")).toBe("# changed by its owner\n");
});

test("the test command of .github/autolith.yml is used", async () => {
  const server = await modelServer(nobody);
  const folder = projectFolder({
    ...pythonProject.files,
    ".github/autolith.yml": "test: python3 -m pytest -q -k order\n",
  });
  const run = await runFix(["--repo", folder, "--json"], { modelUrl: server.url });
  expect(outputOf(run)).toMatchObject({
    outcome: "not-reproduced",
    reason: expect.stringContaining("all 1 tests passed"),
  });
});

test("Ctrl-C ends the run as cancelled, with one JSON line and no container left", async () => {
  const server = await modelServer(() => ({ kind: "silence", when: "at-once" }));
  const trace = join(projectFolder({}), "trace.jsonl");
  const run = await runFix(["--repo", projectFolder(pythonProject.files), "--json", "--trace-out", trace], {
    modelUrl: server.url,
    onStart: (kill) => {
      void (async () => {
        while (server.requests.length === 0) await delay(50);
        kill("SIGINT");
      })();
    },
  });
  expect(run.exitCode).toBe(1);
  expect(outputOf(run)).toMatchObject({ outcome: "cancelled", iterations: 0 });
  expect(readFileSync(trace, "utf8")).toContain('"outcome":"cancelled"');
  expect(await leftBy(run.pid)).toEqual([]);
});
