import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ContainerLabels } from "../../src/sandbox/container-labels.ts";
import { encodeLabels } from "../../src/sandbox/container-labels.ts";
import { containerSpec } from "../../src/sandbox/container-spec.ts";
import { reapAbandoned, reapInstance, reapRuns } from "../../src/sandbox/reaper.ts";
import { removeContainer } from "../../src/sandbox/remove-container.ts";
import { type EngineUnderTest, engineUnderTest, never } from "./engine-under-test.ts";

const now = () => new Date();

let under: EngineUnderTest;

beforeAll(async () => {
  under = await engineUnderTest();
});

afterAll(async () => {
  await reapInstance(under.engine, under.labels.instance, never);
  expect(await under.leftOvers()).toEqual([]);
});

/** A container as a start leaves it when the process dies in the middle: made, never started. */
async function make(overrides: Partial<ContainerLabels> = {}): Promise<string> {
  const labels = { ...under.labels, ...overrides };
  const spec = containerSpec({ ...under.options, labels, engineCpus: under.engine.cpus });
  return (await under.engine.docker.createContainer(spec)).id;
}

async function deadPid(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid ?? 0;
}

test("removes what a dead process left and keeps what living ones use", async () => {
  const { owner } = under.labels;
  const living = spawn("sleep", ["60"]);
  try {
    await make({ owner: { ...owner, pid: await deadPid() } });
    await make({ owner: { ...owner, started: "1" } });
    const kept = [
      await make(),
      await make({ owner: { ...owner, pid: living.pid ?? 0, started: "" } }),
      await make({ owner: { ...owner, pid: await deadPid(), place: "another machine" } }),
    ];
    await using sandbox = await under.start();
    const { containers, failed } = await reapAbandoned(under.engine, owner, now, never);
    expect(containers).toBeGreaterThanOrEqual(2);
    expect(failed).toEqual([]);
    expect(await under.leftOvers()).toEqual(expect.arrayContaining([...kept, sandbox.facts.containerId]));
    // A container and its volume each.
    expect((await under.leftOvers()).length).toBe(8);
  } finally {
    living.kill();
    await reapInstance(under.engine, under.labels.instance, never);
  }
});

test("removes everything of an instance, running or not, and nothing of others", async () => {
  const instance = `${under.labels.instance}-other`;
  const other = await make({ instance });
  await make();
  const sandbox = await under.start();
  expect(await reapInstance(under.engine, under.labels.instance, never)).toEqual({
    containers: 2,
    volumes: 0,
    failed: [],
  });
  expect(await under.leftOvers()).toEqual([]);
  await sandbox[Symbol.asyncDispose]();
  expect(await removeContainer(under.engine.docker.getContainer(other))).toBe(true);
});

test("removes running containers of runs that are over, and leaves other runs and other instances alone", async () => {
  const start = (overrides: Partial<ContainerLabels>) => under.start({ labels: { ...under.labels, ...overrides } });
  const [over, live, foreign] = await Promise.all([
    start({ run: "over" }),
    start({ run: "live" }),
    start({ run: "over", instance: `${under.labels.instance}-other` }),
  ]);
  const { instance } = under.labels;
  const reaped = await reapRuns(under.engine, instance, async (run) => run === "over", never);
  expect(reaped).toEqual({ containers: 1, volumes: 0, failed: [] });
  const { docker } = under.engine;
  await expect(docker.getContainer(over.facts.containerId).inspect()).rejects.toMatchObject({ statusCode: 404 });
  for (const sandbox of [live, foreign]) {
    const { State } = await docker.getContainer(sandbox.facts.containerId).inspect();
    expect(State.Running).toBe(true);
    expect((await sandbox.execute({ language: "python", code: "1 + 1", timeoutMs: 10_000 }, never)).value).toBe("2");
  }
  for (const sandbox of [over, live, foreign]) await sandbox[Symbol.asyncDispose]();
});

test("removes a workspace volume whose container is gone", async () => {
  const owner = { ...under.labels.owner, pid: await deadPid() };
  const name = `${under.labels.instance}-volume`;
  await under.engine.docker.createVolume({ Name: name, Labels: encodeLabels({ ...under.labels, owner }) });
  await under.engine.docker.createVolume({ Name: `${name}-kept`, Labels: encodeLabels(under.labels) });
  expect((await reapAbandoned(under.engine, under.labels.owner, now, never)).volumes).toBeGreaterThanOrEqual(1);
  expect(await under.leftOvers()).toEqual([`${name}-kept`]);
  expect(await reapInstance(under.engine, under.labels.instance, never)).toEqual({
    containers: 0,
    volumes: 1,
    failed: [],
  });
});

test("counts a container that is already gone as removed", async () => {
  const container = under.engine.docker.getContainer("0123456789ab");
  expect(await removeContainer(container)).toBe(true);
});

test("lets two sweeps at once remove the same things", async () => {
  await make();
  await under.start();
  const sweeps = [1, 2, 3].map(() => reapInstance(under.engine, under.labels.instance, never));
  for (const { failed } of await Promise.all(sweeps)) expect(failed).toEqual([]);
  expect(await under.leftOvers()).toEqual([]);
});
