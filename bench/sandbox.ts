import { randomUUID } from "node:crypto";
import { type DockerSandboxOptions, startDockerSandbox } from "../src/sandbox/docker-sandbox.ts";
import { checkEngineHas, connectEngine } from "../src/sandbox/engine.ts";
import { engineAddress } from "../src/sandbox/engine-address.ts";
import { sandboxImage } from "../src/sandbox/image.ts";
import { defaultSandboxLimits } from "../src/sandbox/limits.ts";
import { currentProcess } from "../src/sandbox/process-identity.ts";
import type { Sandbox } from "../src/sandbox/sandbox.ts";
import type { Benchmark } from "./benchmark.ts";
import { execPython, runPython } from "./engine-api.ts";
import { measure, ratio, type Timing, timing } from "./statistics.ts";
import { table } from "./table.ts";

const never = new AbortController().signal;

const rounds = 48;
const executionsPerRound = 50;
const roundsPerRun = 4;
const roundsPerStart = 8;
const warmUps = 200;

interface Samples {
  readonly live: number[];
  readonly exec: number[];
  readonly run: number[];
  readonly ready: number[];
}

/** How fast the live runtime answers, against starting Python by the engine for each piece of code; all in one run, interleaved. */
export async function benchSandbox(signal: AbortSignal): Promise<Benchmark> {
  const options = await sandboxOptions(signal);
  const samples: Samples = { live: [], exec: [], run: [], ready: [] };
  await using sandbox = await startDockerSandbox(options, signal);
  for (let index = 0; index < warmUps; index += 1) await live(sandbox);
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    await sampleRound(round, options, sandbox, samples);
  }
  const times = {
    live: timing(samples.live),
    exec: timing(samples.exec),
    run: timing(samples.run),
    ready: timing(samples.ready),
  };
  return report(times, options);
}

async function sampleRound(
  round: number,
  options: DockerSandboxOptions,
  sandbox: Sandbox,
  samples: Samples,
): Promise<void> {
  const { engine, image } = options;
  for (let index = 0; index < executionsPerRound; index += 1) await measure(samples.live, () => live(sandbox));
  await measure(samples.exec, () => execPython(engine, sandbox.facts.containerId));
  if (round % roundsPerRun === 0) await measure(samples.run, () => runPython(engine, image));
  if (round % roundsPerStart === 0) await measureReady(options, samples.ready);
}

/** From nothing to the first answer of a fresh runtime; taking the container down again is not counted. */
async function measureReady(options: DockerSandboxOptions, samples: number[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  await measure(samples, async () => {
    const sandbox = stack.use(await startDockerSandbox(options, never));
    await live(sandbox);
  });
}

async function live(sandbox: Sandbox): Promise<void> {
  const { value } = await sandbox.execute({ language: "python", code: "1 + 1", timeoutMs: 10_000 }, never);
  if (value !== "2") throw new Error(`the live runtime says that 1 + 1 is ${value}`);
}

async function sandboxOptions(signal: AbortSignal): Promise<DockerSandboxOptions> {
  const engine = await connectEngine(engineAddress({ dockerHost: process.env["DOCKER_HOST"] }), signal);
  const image = await sandboxImage();
  await checkEngineHas(engine, { image }, signal);
  const labels = { instance: `bench-${randomUUID()}`, run: "bench", role: "bench", owner: await currentProcess() };
  return { engine, image, limits: defaultSandboxLimits, labels };
}

function report(times: Record<keyof Samples, Timing>, { engine }: DockerSandboxOptions): Benchmark {
  const ratioExec = ratio(times.exec, times.live);
  const ratioRun = ratio(times.run, times.live);
  const row = (name: string, { p50, p99, samples }: Timing, against: string) => [
    name,
    p50.toFixed(3),
    p99.toFixed(3),
    String(samples),
    against,
  ];
  const rows = [
    ["milliseconds", "p50", "p99", "samples", "live is faster by"],
    row("live execution of 1 + 1", times.live, "p50 goal 0.6"),
    row("docker exec python3 -c", times.exec, `${ratioExec}x (goal 100x)`),
    row("docker run --rm python3 -c", times.run, `${ratioRun}x (goal 300x)`),
    row("sandbox from nothing to first answer", times.ready, ""),
  ];
  const text = `${table(rows)}\nDocker Engine ${engine.version}, cgroup v${engine.cgroupVersion}; docker exec and docker run by the engine's API\n`;
  return { text, figures: { benchmark: "sandbox", ratioExec, ratioRun, ...times, engine: engine.version } };
}
