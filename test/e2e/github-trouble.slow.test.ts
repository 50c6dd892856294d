import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fault, primaryRateLimit, secondaryRateLimit } from "../twin/http/faults.ts";
import type { RequestRecord } from "../twin/http/journal.ts";
import { fixer, proposals, pushed } from "./expectations.ts";
import { answersNeeded } from "./kill-points.ts";
import { quickRepository, turnRedQuickly } from "./quick-repository.ts";
import { concluded, eventually, ownChecks, type RedRepository } from "./red-repository.ts";
import { type Service, startService } from "./run-serve.ts";

let service: Service;
let answers = 0;

beforeAll(async () => {
  service = await startService();
  service.think((conversation) => {
    answers += 1;
    return fixer(conversation);
  });
});

afterAll(() => service[Symbol.asyncDispose]());

/** A request of a job's life, known by what the outside sees. */
type Matcher = (request: RequestRecord) => boolean;

const to =
  (method: string, path: RegExp): Matcher =>
  (request) =>
    request.method === method && path.test(request.path);

const mints =
  (permission: string, level: string, without?: string): Matcher =>
  ({ route, body }) => {
    const { permissions = {} } = (body ?? {}) as { permissions?: Record<string, string> };
    if (route !== "POST /app/installations/{installation_id}/access_tokens") return false;
    return permissions[permission] === level && (without === undefined || permissions[without] === undefined);
  };

const completes: Matcher = ({ method, path, body }) =>
  method === "PATCH" && /\/check-runs\/\d+$/.test(path) && JSON.stringify(body).includes('"completed"');

const inOneMinute = () => primaryRateLimit(Math.ceil(Date.now() / 1000) + 60);

/** Whether a request is about one repository; tokens and GraphQL do not name it in their path. */
function isAbout({ repository }: RedRepository): Matcher {
  const name = `${repository.owner.login}/${repository.name}`;
  return ({ path, body }) => {
    const { repository_ids: ids = [] } = (typeof body === "object" && body !== null ? body : {}) as {
      repository_ids?: number[];
    };
    return path.includes(`/${name}/`) || ids.includes(repository.id) || JSON.stringify(body ?? "").includes(name);
  };
}

/** Puts trouble in the way of one repository's job, and counts what it hits. */
function trouble(red: RedRepository, matches: Matcher, fault: Fault): { hits: number; since: number; end: () => void } {
  const about = isAbout(red);
  const met = { hits: 0, since: Number.NaN, end: () => {} };
  const when: Matcher = (request) => {
    const hit = matches(request) && about(request);
    if (hit && met.hits === 0) met.since = performance.now();
    if (hit) met.hits += 1;
    return hit;
  };
  met.end = service.twin.fault({ ...fault, when });
  return met;
}

/** A limit is waited out for a minute, then ten jobs go on two by two. */
const patienceMs = 300_000;

/** There is one of everything, whatever happened on the way. */
async function expectOneOfEach(red: RedRepository): Promise<void> {
  expect(await concluded(service.twin, red, patienceMs)).toMatchObject({ conclusion: "success" });
  expect(ownChecks(service.twin, red.repository, red.sha)).toHaveLength(1);
  expect(red.pull.comments).toHaveLength(1);
  expect(proposals(service.twin, red.repository)).toHaveLength(1);
  expect(await pushed(red.repository)).toHaveLength(1);
}

const limits: [string, Matcher, () => Fault][] = [
  ["the first token", mints("actions", "read"), secondaryRateLimit],
  ["the check run", to("POST", /\/check-runs$/), () => secondaryRateLimit(60, 429)],
  ["the comment", to("POST", /\/issues\/\d+\/comments$/), inOneMinute],
  ["the log", to("GET", /\/actions\/jobs\/\d+\/logs$/), secondaryRateLimit],
  ["the checkout's token", mints("contents", "read", "actions"), inOneMinute],
  ["the token for publishing", mints("contents", "write"), () => secondaryRateLimit(60, 429)],
  ["the branch", to("POST", /\/git\/refs$/), inOneMinute],
  ["the commit", to("POST", /graphql$/), secondaryRateLimit],
  ["the pull request", to("POST", /\/pulls$/), () => ({ ...inOneMinute(), status: 429 })],
  ["the end of the check run", completes, secondaryRateLimit],
];

test("a rate limit at any stage is met once a minute at most, holds no worker, and leaves one of everything when it is over", async () => {
  answers = 0;
  const cases = [];
  for (const [stage, matches, fault] of limits) {
    const red = await quickRepository(service.twin);
    cases.push({ stage, red, met: trouble(red, matches, { ...fault(), count: 1_000 }) });
    await turnRedQuickly(service.twin, red);
  }
  for (const { stage, met } of cases) await eventually(`the limit at ${stage}`, () => met.hits > 0 || undefined);
  const free = await quickRepository(service.twin);
  await turnRedQuickly(service.twin, free);
  await expectOneOfEach(free);
  await delay(5_000);
  for (const { stage, met } of cases) {
    const minutes = Math.floor((performance.now() - met.since) / 60_000);
    expect(met.hits, stage).toBeLessThanOrEqual(1 + minutes);
    met.end();
  }
  for (const { red } of cases) await expectOneOfEach(red);
  // Nothing that was paid for is paid again.
  expect(answers).toBe(answersNeeded * (limits.length + 1));
  expect(service.twin.journal.problems()).toEqual([]);
}, 600_000);

const lost: [string, Matcher][] = [
  ["the check run", to("POST", /\/check-runs$/)],
  ["the comment", to("POST", /\/issues\/\d+\/comments$/)],
  ["the branch", to("POST", /\/git\/refs$/)],
  ["the commit", to("POST", /graphql$/)],
  ["the pull request", to("POST", /\/pulls$/)],
  ["the end of the check run", completes],
];

test("what was made though the answer was 502 is not made again", async () => {
  answers = 0;
  const cases = [];
  for (const [stage, matches] of lost) {
    const red = await quickRepository(service.twin);
    cases.push({ stage, red, met: trouble(red, matches, { status: 502, after: true }) });
    await turnRedQuickly(service.twin, red);
  }
  for (const { stage, red, met } of cases) {
    await eventually(`the lost answer for ${stage}`, () => met.hits > 0 || undefined);
    await expectOneOfEach(red);
  }
  expect(answers).toBe(answersNeeded * lost.length);
  expect(service.twin.journal.problems()).toEqual([]);
}, 600_000);

test("a repository that is renamed while it is repaired gets its pull request under its new name", async () => {
  const red = await quickRepository(service.twin);
  let asked = 0;
  service.think((conversation) => {
    asked += 1;
    if (asked === 3) service.twin.repositories.rename(red.repository, "letters");
    return fixer(conversation);
  });
  await turnRedQuickly(service.twin, red);
  await expectOneOfEach(red);
  expect(asked).toBe(answersNeeded);
  expect(service.twin.journal.problems()).toEqual([]);
});
