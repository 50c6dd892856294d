import { pino } from "pino";
import { expect, test } from "vitest";
import { type ActiveJob, JobAborted } from "../../src/job/active-job.ts";
import { openSpendBook } from "../../src/job/spend-book.ts";
import { Budget, defaultBudgetLimits } from "../../src/model/budget.ts";
import type { Model, ModelTurn } from "../../src/model/model.ts";
import type { TraceRecord } from "../../src/trace/event.ts";

const never = new AbortController().signal;
const usage = { inputTokens: 100, cachedTokens: 0, outputTokens: 10 };
const request = { messages: [], tools: [], maxOutputTokens: 1_000 };

function scene(record: ActiveJob["record"]) {
  let calls = 0;
  const model: Model = {
    name: "scripted",
    endpoint: "none",
    estimateInputTokens: () => 1,
    cost: () => null,
    respond: async () => {
      calls += 1;
      return { text: "", toolCalls: [], usage } as unknown as ModelTurn;
    },
  };
  const budget = new Budget(defaultBudgetLimits, model, () => 0);
  const trace = { path: "", record: () => {}, stage: <T>(_: unknown, work: () => Promise<T>) => work() };
  const log = pino({ level: "silent" });
  const book = openSpendBook({ active: { id: "job", record }, budget, model, trace, log });
  const answered = () => {
    budget.charge(usage);
    book.trace.record({ type: "turn" } as TraceRecord);
  };
  return { model: book.model, answered, calls: () => calls };
}

test("what was spent is written down when it was counted, and the next call waits for that", async () => {
  const written: unknown[] = [];
  let wait: Promise<void> = Promise.resolve();
  const { model, answered, calls } = scene(async ({ spend }) => {
    written.push(spend);
    await wait;
  });
  await model.respond(request, never);
  const { promise, resolve } = Promise.withResolvers<void>();
  wait = promise;
  answered();
  expect(written).toMatchObject([{ iterations: 0 }, { iterations: 1, inputTokens: 100, outputTokens: 10 }]);
  const next = model.respond(request, never);
  await new Promise(setImmediate);
  expect(calls()).toBe(1);
  resolve();
  await next;
  expect(calls()).toBe(2);
});

test("an attempt that lost its claim asks the model nothing more", async () => {
  const { model, calls } = scene(() => Promise.reject(new JobAborted("lost")));
  await expect(model.respond(request, never)).rejects.toThrow(JobAborted);
  expect(calls()).toBe(0);
});

test("a database that is away for a moment does not end the run", async () => {
  const { model, calls } = scene(() => Promise.reject(new Error("connection lost")));
  await model.respond(request, never);
  expect(calls()).toBe(1);
});
