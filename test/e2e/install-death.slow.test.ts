import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { layerVolumes, removeLayers } from "../dependencies/layers-left.ts";
import { engineUnderTest } from "../docker/engine-under-test.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { startRegistry } from "../registry/registry.ts";
import { nobody } from "./fix-with.ts";
import { outputOf, projectFolder, runFix } from "./run-fix.ts";

const files = {
  "requirements.txt": "brackets\n",
  "test_a.py": "from brackets import wrap\n\n\ndef test_a():\n    assert wrap('a') == '<a>'\n",
};
const brackets = {
  name: "brackets",
  version: "1.0",
  files: { "brackets.py": "def wrap(text):\n    return '<' + text + '>'\n" },
};

/** Runs `fix` until its install asks the registry for a package, and ends it by the signal then. */
async function endedInInstall(signal: NodeJS.Signals) {
  const { engine } = await engineUnderTest();
  const registry = await startRegistry({ engine, python: [brackets] });
  const model = await startModelServer({ policy: nobody });
  const data = projectFolder({});
  onTestFinished(async () => {
    await registry[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await removeLayers(engine, owner());
  });
  const owner = () => readFileSync(join(data, "instance-id"), "utf8").trim();
  const environment = { AUTOLITH_DATA_DIR: data, ...registry.environment };
  const folder = projectFolder(files);
  const asked = registry.hold();
  const ended = runFix(["--repo", folder, "--json"], {
    modelUrl: model.url,
    environment,
    onStart: (kill) => void asked.then(() => kill(signal)),
  });
  const run = await ended;
  return { engine, run, folder, model, registry, environment, owner };
}

async function installContainers(
  engine: Awaited<ReturnType<typeof engineUnderTest>>["engine"],
  pid: number | undefined,
) {
  const filters = { label: ["dev.autolith.role=install", `dev.autolith.owner.pid=${pid}`] };
  return (await engine.docker.listContainers({ all: true, filters })).map(({ Id }) => Id);
}

async function halves(engine: Awaited<ReturnType<typeof engineUnderTest>>["engine"], pid: number | undefined) {
  const filters = { label: ["dev.autolith.role=layer", `dev.autolith.owner.pid=${pid}`] };
  return ((await engine.docker.listVolumes({ filters })).Volumes ?? []).map(({ Name }) => Name);
}

test("cancelled in an install: cancelled, and nothing is left", async () => {
  const { engine, run } = await endedInInstall("SIGINT");
  expect(outputOf(run)).toMatchObject({ outcome: "cancelled" });
  expect(await installContainers(engine, run.pid)).toEqual([]);
  expect(await halves(engine, run.pid)).toEqual([]);
});

test("killed in an install: its container ends by itself, and the next run removes the half layer and makes a whole one", async () => {
  const { engine, run, folder, model, environment, owner, registry } = await endedInInstall("SIGKILL");
  await expect.poll(() => installContainers(engine, run.pid), { timeout: 20_000 }).toEqual([]);
  expect(await halves(engine, run.pid)).toHaveLength(1);
  await registry[Symbol.asyncDispose]();
  const other = await startRegistry({ engine, python: [brackets] });
  onTestFinished(() => other[Symbol.asyncDispose]());
  const next = await runFix(["--repo", folder, "--json"], {
    modelUrl: model.url,
    environment: { ...environment, ...other.environment },
  });
  expect(outputOf(next)).toMatchObject({ outcome: "not-reproduced" });
  expect(await halves(engine, run.pid)).toEqual([]);
  expect(await layerVolumes(engine, owner())).toHaveLength(2);
});
