import { expect, test } from "vitest";
import type { z } from "zod";
import * as protocol from "../../src/sandbox/protocol.ts";
import { protocolFixture, protocolFixtures } from "./protocol-fixtures.ts";

const schemas: Record<string, z.ZodType> = {
  "hello.done": protocol.helloDone,
  "put.done": protocol.putDone,
  "remove.done": protocol.bareDone,
  "stat.data": protocol.statData,
  "stat.done": protocol.bareDone,
  "get.data": protocol.bareDone,
  "get.done": protocol.getDone,
  "execute.done": protocol.executeDone,
  "execute.error.done": protocol.executeDone,
  "run.data": protocol.runData,
  "run.done": protocol.runDone,
  "interrupt.done": protocol.bareDone,
  "sweep.done": protocol.sweepDone,
  "seal.done": protocol.sealDone,
  "bye.done": protocol.bareDone,
};

const answers = [...protocolFixtures().keys()].filter((name) => !name.endsWith(".request"));

test.each(answers)("understands the answer %s of the protocol's page", (name) => {
  const fixture = protocolFixture(name);
  const { id, event, ...fields } = fixture;
  expect(protocol.envelope.parse(fixture)).toEqual({ id, event });
  expect(schemas[name]?.parse(fixture)).toEqual(fields);
});

test("knows an error about a request that could not be read", () => {
  const error = { event: "error", code: "bad-request", message: "the frame is too long" };
  expect(protocol.envelope.parse(error)).toEqual(error);
});

test.each([
  ["no event", { id: 1 }],
  ["an unknown event", { id: 1, event: "progress" }],
  ["no id", { event: "done" }],
  ["an id that is no number", { id: "1", event: "done" }],
  ["an error with an unknown code", { id: 1, event: "error", code: "whatever", message: "" }],
])("refuses an answer with %s", (_name, header) => {
  expect(protocol.envelope.safeParse(header).success).toBe(false);
});

test.each([
  ["status", "passed"],
  ["durationMs", -1],
  ["durationMs", null],
  ["memoryBytes", 0.5],
  ["value", 21],
  ["stdout", "text"],
  ["stale", [1]],
  ["exception", { type: "E", message: "", frames: [{ file: "a.py" }] }],
  ["epoch", undefined],
])("refuses an execution whose %s is %j", (field, value) => {
  const answer = { ...protocolFixture("execute.done"), [field]: value };
  expect(protocol.executeDone.safeParse(answer).success).toBe(false);
});

test("keeps the chain of causes of an exception", () => {
  const cause = { type: "KeyError", message: "'a'", frames: [] };
  const answer = { ...protocolFixture("execute.done"), exception: { type: "E", message: "", frames: [], cause } };
  expect(protocol.executeDone.parse(answer).exception?.cause).toEqual(cause);
});

test("takes a cause of null for none", () => {
  const exception = { type: "E", message: "", frames: [], cause: null };
  expect(
    protocol.executeDone.parse({ ...protocolFixture("execute.done"), exception }).exception?.cause,
  ).toBeUndefined();
});

test.each(["/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/", "", "a/./b"])(
  "refuses %j as a path of the workspace",
  (path) => {
    const entry = { path, kind: "file", executable: false, size: 0, sha256: null };
    expect(protocol.statData.safeParse({ entries: [entry] }).success).toBe(false);
  },
);

test.each(["a", "a b/c\nd", "-rf", "..a/b..", ".hidden"])("accepts %j as a path of the workspace", (path) => {
  const entry = { path, kind: "file", executable: false, size: 0, sha256: null };
  expect(protocol.statData.parse({ entries: [entry] })).toEqual({ entries: [entry] });
});
