import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openObjectStore } from "../src/checkout/object-store.ts";
import { snapshotFolder } from "../src/checkout/snapshot.ts";
import { fix } from "../src/job/fix.ts";
import { Budget, defaultBudgetLimits } from "../src/model/budget.ts";
import type { Message, Model, ModelRequest } from "../src/model/model.ts";
import { openAiModel } from "../src/model/openai-model.ts";
import { countRequestTokens } from "../src/model/token-count.ts";
import { resolveTestCommand } from "../src/runner/test-command.ts";
import { defaultSandboxLimits } from "../src/sandbox/limits.ts";
import type { Sandbox, StartSandbox } from "../src/sandbox/sandbox.ts";
import { sandboxStarter } from "../src/sandbox/sandbox-starter.ts";
import { openFileTrace } from "../src/trace/recorder.ts";
import { startModelServer } from "../test/model-server/model-server.ts";
import { scripted } from "../test/model-server/policies/scripted.ts";
import type { Benchmark } from "./benchmark.ts";
import { tenIterations, writeNoisyProject } from "./context/noisy-project.ts";
import { rawSession } from "./context/raw-session.ts";
import { table } from "./table.ts";

/** Tokens that one request took, as it was sent and as a loop would send it that appends whatever the sandbox wrote. */
interface Request {
  readonly sent: number;
  readonly naive: number;
}

/**
 * What ten iterations on a noisy project send to the model, against a loop that appends everything: the same calls in the same
 * run, counted by the same tokenizer. The naive side gets no failure to begin with and no list of files.
 */
export async function benchContext(signal: AbortSignal): Promise<Benchmark> {
  const folder = await mkdtemp(join(tmpdir(), "autolith-bench-"));
  try {
    return report(await requestsOf(folder, signal));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function requestsOf(folder: string, signal: AbortSignal): Promise<Request[]> {
  const command = writeNoisyProject(join(folder, "project"));
  await using server = await startModelServer({ policy: scripted(tenIterations) });
  await using store = await openObjectStore(signal);
  const checkout = await snapshotFolder(join(folder, "project"), store, signal);
  using trace = openFileTrace({ path: join(folder, "trace"), now: () => new Date(), secrets: [], onRecord: () => {} });
  const raw: string[] = [];
  const requests: Request[] = [];
  const model = counting(openAiModel({ baseUrl: server.url, apiKey: "none", model: "scripted" }), raw, requests);
  const limits = { ...defaultBudgetLimits, iterations: tenIterations.length };
  const outcome = await fix(
    {
      ...{ checkout, trace, model, command: await resolveTestCommand(command, checkout) },
      ...{ testRunMs: 120_000, executionMs: 30_000, claims: { proof: null, refusals: 0 } },
      installed: false,
      startSandbox: takingAll(await starter(signal), raw),
      budget: new Budget(limits, model, () => performance.now()),
      beforeLoop: async () => {
        raw.length = 0;
        return null;
      },
    },
    signal,
  );
  if (outcome.kind !== "exhausted" || requests.length !== tenIterations.length) {
    throw new Error(`the run should have used up its ten iterations, and ended as ${outcome.kind}: ${outcome.reason}`);
  }
  return requests;
}

async function starter(signal: AbortSignal): Promise<StartSandbox> {
  const instance = `bench-${randomUUID()}`;
  const engine = { dockerHost: process.env["DOCKER_HOST"] };
  const common = { engine, image: undefined, runtime: undefined, limits: defaultSandboxLimits };
  const sandboxes = await sandboxStarter({ ...common, instance, run: "context", layersOf: instance }, signal);
  return sandboxes.starter(null);
}

function takingAll(start: StartSandbox, raw: string[]): StartSandbox {
  return async (signal): Promise<Sandbox> => {
    const sandbox = await start(signal);
    const session = rawSession(sandbox, (text) => raw.push(text));
    return { ...session, [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() };
  };
}

/** Counts each request twice: as it is, and with the raw texts of the sandbox in place of the observations. */
function counting(model: Model, raw: string[], requests: Request[]): Model {
  const naive: Message[] = [];
  let seen = 0;
  return {
    name: model.name,
    endpoint: model.endpoint,
    cost: (usage) => model.cost(usage),
    estimateInputTokens: (request) => model.estimateInputTokens(request),
    respond(request: ModelRequest, signal) {
      const added = request.messages.slice(seen);
      seen = request.messages.length;
      const text = raw.splice(0).join("\n");
      const opening = added.filter(({ role }) => role === "system" || role === "assistant");
      naive.push(
        ...opening,
        ...added.filter(({ role }) => role === "tool").map((each) => ({ ...each, content: text })),
      );
      requests.push({
        sent: countRequestTokens(request),
        naive: countRequestTokens({ ...request, messages: naive }),
      });
      return model.respond(request, signal);
    },
  };
}

function report(requests: readonly Request[]): Benchmark {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const sent = sum(requests.map((request) => request.sent));
  const naive = sum(requests.map((request) => request.naive));
  const share = Math.round((sent / naive) * 1_000) / 1_000;
  const rows = [
    ["input tokens", "sent", "appending everything", "share"],
    ...requests.map((each, index) => [
      `request ${index + 1}`,
      String(each.sent),
      String(each.naive),
      (each.sent / each.naive).toFixed(2),
    ]),
    ["all ten", String(sent), String(naive), `${share} (goal 0.33)`],
  ];
  return { text: table(rows), figures: { benchmark: "context", share, sent, naive, requests } };
}
