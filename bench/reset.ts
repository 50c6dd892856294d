import { randomUUID } from "node:crypto";
import { connectEngine } from "../src/sandbox/engine.ts";
import { engineAddress } from "../src/sandbox/engine-address.ts";
import { defaultSandboxLimits } from "../src/sandbox/limits.ts";
import type { Layer, Sandbox, Sandboxes, WorkspaceFile } from "../src/sandbox/sandbox.ts";
import { sandboxStarter } from "../src/sandbox/sandbox-starter.ts";
import { removeLayers } from "../test/dependencies/layers-left.ts";
import type { Benchmark } from "./benchmark.ts";
import { measure, ratio, type Timing, timing } from "./statistics.ts";
import { table } from "./table.ts";

const rounds = 16;
/** About what the packages of a front end are: 30,000 files of some kilobytes in 6,000 folders. */
const makePackages = `
for package in $(seq 1000); do
  for folder in . a b a/c a/d; do
    mkdir -p node_modules/$package/$folder
    for file in 1 2 3 4 5 6; do head -c 2000 /dev/zero > node_modules/$package/$folder/$file.js; done
  done
done`;
const checkout = Array.from({ length: 50 }, (_, index): WorkspaceFile => {
  return { path: `src/${index}.js`, kind: "file", executable: false, bytes: Buffer.from(`exports.n = ${index};\n`) };
});

interface Samples {
  readonly bare: number[];
  readonly layered: number[];
  readonly first: number[];
}

/** What it costs to lay the checkout anew, as before every test run, with 30,000 installed files beside it and without. */
export async function benchReset(signal: AbortSignal): Promise<Benchmark> {
  const owner = `bench-${randomUUID()}`;
  const settings = { dockerHost: process.env["DOCKER_HOST"] };
  const options = { engine: settings, image: undefined, runtime: undefined, limits: defaultSandboxLimits };
  const sandboxes = await sandboxStarter({ ...options, instance: owner, run: "bench", layersOf: owner }, signal);
  const engine = await connectEngine(engineAddress(settings), signal);
  try {
    const layer = await makeLayer(sandboxes, signal);
    const samples: Samples = { bare: [], layered: [], first: [] };
    await sample(sandboxes, layer, samples, signal);
    return report(samples, layer);
  } finally {
    await removeLayers(engine, owner);
  }
}

async function makeLayer(sandboxes: Sandboxes, signal: AbortSignal): Promise<Layer> {
  await using install = await sandboxes.startInstall(`bench-${randomUUID()}`, signal);
  await install.put([], { reset: true }, signal);
  const run = { argv: ["sh", "-ec", makePackages], cwd: "/work", env: {}, timeoutMs: 300_000, report: false };
  const { exitCode, stderr } = await install.run(run, signal);
  if (exitCode !== 0) throw new Error(`the packages could not be made: ${stderr.text}`);
  const sealed = await install.seal(signal);
  if (sealed.kind !== "sealed") throw new Error(sealed.problem);
  return sealed.layer;
}

async function sample(sandboxes: Sandboxes, layer: Layer, samples: Samples, signal: AbortSignal): Promise<void> {
  await using bare = await sandboxes.starter(null)(signal);
  await using layered = await sandboxes.starter(layer)(signal);
  await reset(bare, signal);
  await measure(samples.first, () => reset(layered, signal));
  for (let round = 0; round < rounds; round += 1) {
    await measure(samples.bare, () => reset(bare, signal));
    await measure(samples.layered, () => reset(layered, signal));
  }
}

function reset(sandbox: Sandbox, signal: AbortSignal): Promise<unknown> {
  return sandbox.put(checkout, { reset: true }, signal);
}

function report(samples: Samples, { files }: Layer): Benchmark {
  const times = { bare: timing(samples.bare), layered: timing(samples.layered), first: timing(samples.first) };
  const ratioBare = ratio(times.layered, times.bare);
  const ratioFirst = ratio(times.first, times.layered);
  const row = (name: string, { p50, p99, samples: count }: Timing, against: string) => [
    name,
    p50.toFixed(0),
    p99.toFixed(0),
    String(count),
    against,
  ];
  const rows = [
    ["milliseconds", "p50", "p99", "samples", ""],
    row("reset without packages", times.bare, ""),
    row(`reset with ${files} installed files`, times.layered, `${ratioBare}x of one without`),
    row("the first, which copies them", times.first, `${ratioFirst}x of a later one`),
  ];
  return { text: table(rows), figures: { benchmark: "reset", files, ratioBare, ratioFirst, ...times } };
}
