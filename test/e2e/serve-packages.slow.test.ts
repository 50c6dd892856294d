import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { layerVolumes, removeLayers } from "../dependencies/layers-left.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { type Registry, startRegistry } from "../registry/registry.ts";
import { nobody, proposals } from "./expectations.ts";
import { leftOvers } from "./left-overs.ts";
import { concluded, redRepository, turnRed } from "./red-repository.ts";
import { type Service, startService } from "./run-serve.ts";

let under: EngineUnderTest;
let registry: Registry;
let service: Service;

const brackets = (version: string, name: string) => ({
  ...{ name: "brackets", version },
  files: { "brackets.py": `def ${name}(text):\n    return '<' + text + '>'\n` },
});

beforeAll(async () => {
  under = await engineUnderTest();
  registry = await startRegistry({
    engine: under.engine,
    python: [brackets("1.0", "wrap"), brackets("2.0", "enclose")],
  });
  service = await startService({ environment: registry.environment });
});

afterAll(async () => {
  const owner = ownerOf();
  await service[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await removeLayers(under.engine, owner);
});

function ownerOf(): string {
  return readFileSync(join(service.data, "instance-id"), "utf8").trim();
}

const green = {
  "requirements.txt": "brackets==1.0\n",
  "names.py": "import brackets\n\n\ndef tag(name):\n    return brackets.wrap(name)\n",
  "test_names.py": "from names import tag\n\n\ndef test_tag():\n    assert tag('Ada') == '<Ada>'\n",
};
/** A new version of a package has another name for what it does. */
const bump = { files: { ...green, "requirements.txt": "brackets==2.0\n" }, base: green };
const step = { run: "pytest", output: "1 failed", exitCode: 1 };
const policy = honestFixer({
  edits: [{ path: "names.py", old_text: "brackets.wrap(name)", new_text: "brackets.enclose(name)" }],
  root_cause: "The new version calls it enclose.",
  summary: "Call it by its new name.",
});

/** Everything that a service left at the engine, besides its finished layers. */
async function left(): Promise<string[]> {
  const layers = await layerVolumes(under.engine, ownerOf());
  return (await leftOvers(service.data)).filter((each) => !layers.includes(each.replace(/^volume /, "")));
}

test("a new version that breaks is repaired, since the base is run with the old one; also when killed in the install", async () => {
  service.think(policy);
  const red = await redRepository(service.twin, bump);
  const asked = registry.hold();
  await turnRed(service.twin, red.repository, "topic", { step });
  await asked;
  await service.kill();
  registry.release();
  await service.start();
  const check = await concluded(service.twin, red, 150_000);
  expect(check).toMatchObject({ conclusion: "success", output: { title: "Repair proposed" } });
  expect(proposals(service.twin, red.repository)).toHaveLength(1);
  expect(service.traces().match(/"source":"fresh","ok":true/g)).toHaveLength(2);
  expect(await left()).toEqual([]);
  expect(await layerVolumes(under.engine, ownerOf())).toHaveLength(4);
});

test("for a pull request from a fork nothing is installed, and that is said", async () => {
  service.think(nobody);
  const red = await redRepository(service.twin, { ...bump, fork: "mallory" });
  const from = red.pull.pull.head.repository;
  if (from === null) throw new Error("the fork is gone");
  const before = registry.requests.length;
  await turnRed(service.twin, red.repository, "topic", { step, from });
  const check = await concluded(service.twin, red);
  expect(check.output).toMatchObject({ title: "Cannot run here", summary: expect.stringContaining("from forks") });
  expect(registry.requests.length).toBe(before);
  expect(await left()).toEqual([]);
});
