import { expect, test } from "vitest";
import { answerProblem, payloadProblem } from "./openapi/check-answer.ts";
import { checkRequest } from "./openapi/check-request.ts";
import { type Operation, operation } from "./openapi/description.ts";

function described(on: string): Operation {
  const found = operation(on);
  if (found === undefined) throw new Error(`${on} is not described`);
  return found;
}

test("an answer of the wrong shape or status is found out", () => {
  const reaction = described("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions");
  const good = { id: 1, node_id: "x", user: null, content: "eyes", created_at: "2026-01-01T00:00:00Z" };
  expect(answerProblem(reaction, 201, good)).toBeUndefined();
  expect(answerProblem(reaction, 201, { ...good, content: "frown" })).toMatch(
    /^answer\/content must be equal to one of/,
  );
  expect(answerProblem(reaction, 201, { ...good, created_at: "yesterday" })).toMatch(/must match format "date-time"/);
  expect(answerProblem(reaction, 201, { ...good, user: { login: "ada" } })).toMatch(/^answer\/user must/);
  expect(answerProblem(reaction, 202, good)).toBe("status 202 is not described");
  expect(answerProblem(reaction, 502, "oops")).toBeUndefined();
});

test("a webhook that GitHub does not send, or not like that, is found out", () => {
  expect(payloadProblem("check_run", { action: "completed" })).toMatch(/must have required property/);
  expect(payloadProblem("check_run", { action: "exploded" })).toBe("there is no webhook check_run exploded");
});

test("numbers and truth values of a query are read, and wrong ones refused", () => {
  const jobs = described("GET /repos/{owner}/{repo}/commits/{ref}/check-runs");
  const check = (query: string) => checkRequest(jobs, { query: new URLSearchParams(query), body: undefined });
  expect(check("app_id=7&filter=all")).toEqual({ query: { app_id: 7, filter: "all" }, errors: [], ignored: [] });
  expect(check("app_id=seven").errors).toEqual(["query/app_id/value must be integer"]);
});

test("a body is asked for where there must be one, and noticed where there is none", () => {
  const query = new URLSearchParams();
  const create = described("POST /repos/{owner}/{repo}/git/refs");
  expect(checkRequest(create, { query, body: undefined }).errors).toEqual(["body is missing"]);
  expect(checkRequest(create, { query, body: { ref: "refs/heads/x", sha: "1", force: true } }).ignored).toEqual([
    "body/force",
  ]);
  expect(checkRequest(described("GET /app"), { query, body: {} }).ignored).toEqual(["body"]);
});
