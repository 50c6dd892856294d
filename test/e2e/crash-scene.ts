import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Policy } from "../model-server/policy.ts";
import { readCommit } from "../twin/git/commits.ts";
import { readRef } from "../twin/git/refs.ts";
import type { CheckRun } from "../twin/world/check.ts";
import { fixer } from "./expectations.ts";
import { answersNeeded, endOfJob, type KillPoint } from "./kill-points.ts";
import { leftOvers } from "./left-overs.ts";
import { quickRepository, turnRedQuickly } from "./quick-repository.ts";
import { eventually, ownChecks, type RedRepository } from "./red-repository.ts";
import type { Service } from "./run-serve.ts";
import { temporaryFolderOf } from "./serve-process.ts";

/** What is left to see when a job has ended whose process was killed on the way. */
export interface Survived {
  readonly red: RedRepository;
  /** The one check run. */
  readonly check: CheckRun;
  /** Answers that the model gave. */
  readonly answers: number;
  /** The same, and those that it was asked for by a process that was dead before it got them. */
  readonly asked: number;
}

/** The longest time from a start to a kill or to the end: with PostgreSQL a dead worker's job is found by its heartbeat. */
const patienceMs = 150_000;

/**
 * Lets a repository turn red and kills the service at each of the points, in order, starting it again each time. Then looks for
 * what has to be true whatever happened: one check run, completed, one comment, and nothing left at the engine.
 * `whileDown` happens before the last start.
 */
export async function survive(
  service: Service,
  kills: readonly KillPoint[],
  whileDown: (red: RedRepository) => Promise<unknown> = async () => {},
): Promise<Survived> {
  const { twin } = service;
  const mind = countingMind();
  service.think(mind.policy);
  const red = await quickRepository(twin);
  const begun = Promise.withResolvers<void>();
  let logged = service.log().length;
  for (const [index, kill] of kills.entries()) {
    mind.newAttempt();
    const struck = kill.strike({ service, delivered: begun.promise, onModelRequest: mind.listen });
    if (index > 0) await service.start();
    logged = service.log().length;
    if (index === 0) await turnRedQuickly(twin, red).then(() => twin.webhooks.settled());
    begun.resolve();
    await inTime(struck, kill.name);
  }
  mind.newAttempt();
  await whileDown(red);
  const isOver = endOfJob(service.log().slice(logged)) !== undefined;
  logged = service.log().length;
  await service.start();
  if (isOver) await delay(2_000);
  else await eventually("the end of the job", () => endOfJob(service.log().slice(logged)), patienceMs);
  await delay(200);
  const [check, ...others] = ownChecks(twin, red.repository, red.sha);
  expect(others).toEqual([]);
  expect(check).toMatchObject({ status: "completed" });
  expect(red.pull.comments.map(({ body }) => body)).toEqual([expect.stringContaining(check?.output.title ?? "?")]);
  expect(await leftOvers(service.data)).toEqual([]);
  expect(readdirSync(temporaryFolderOf(service.data))).toEqual([]);
  expect(twin.journal.problems()).toEqual([]);
  if (check === undefined) throw new Error("there is no check run");
  return { red, check, answers: mind.answers(), asked: mind.asked() };
}

/** The repair is offered once, on one branch, by a commit with exactly the proven tree, and says what all attempts spent. */
export async function expectOnePullRequest(service: Service, survived: Survived): Promise<void> {
  const { red, check, answers, asked } = survived;
  const { repository } = red;
  expect(check).toMatchObject({ conclusion: "success", output: { title: "Repair proposed" } });
  const proposals = service.twin.pulls.of(repository).filter(({ pull }) => pull.head.ref.startsWith("autolith/"));
  expect(proposals.map(({ state }) => state)).toEqual(["open"]);
  const [proposal] = proposals;
  const branches = await repository.git.text(["for-each-ref", "--format=%(refname)", "refs/heads/autolith/"]);
  expect(branches.trim()).toBe(`refs/heads/${proposal?.pull.head.ref}`);
  const head = (await readRef(repository.git, branches.trim())) ?? "";
  const { tree, parents } = await readCommit(repository.git, head);
  expect(parents).toEqual([red.sha]);
  expect(repository.verifiedCommits.has(head)).toBe(true);
  expect(service.traces()).toMatch(new RegExp(`"type":"verified","accepted":true[^\n]*"tree":"${tree}"`));
  const body = proposal?.body ?? "";
  expect(body).toContain("## Proof\n\n|");
  expect(body).toContain(`(${answersNeeded} iterations)`);
  const earlier = asked - answersNeeded;
  if (earlier === 0) expect(body).not.toContain("broke off");
  else expect(body).toContain(`${earlier} of ${asked} iterations`);
  if (earlier > 0) expect(service.traces()).toMatch(/"type":"carried-over"[^\n]*"wallTimeMs":[1-9]/);
  const isOpen = asked > answers;
  expect(body.includes("is counted at an estimated")).toBe(isOpen);
  expect(red.pull.comments[0]?.body).toContain(`#${proposal?.number}`);
  expect(red.pull.comments[0]?.body).toContain("switch it off");
}

interface Mind {
  readonly policy: Policy;
  /** Counts an attempt's requests from one again. */
  newAttempt(): void;
  listen(this: void, listener: (nth: number) => boolean): void;
  answers(): number;
  asked(): number;
}

/** The fixer, with an ear for its requests; a request whose process was killed by the listener gets no answer. */
function countingMind(): Mind {
  let attempt = 0;
  let asked = 0;
  let answered = 0;
  let listener: (nth: number) => boolean = () => false;
  return {
    newAttempt: () => {
      attempt = 0;
      listener = () => false;
    },
    listen: (next) => (listener = next),
    answers: () => answered,
    asked: () => asked,
    policy: (conversation) => {
      attempt += 1;
      asked += 1;
      if (listener(attempt)) return { kind: "hang-up", when: "at-once" };
      answered += 1;
      return fixer(conversation);
    },
  };
}

async function inTime(struck: Promise<void>, name: string): Promise<void> {
  const late = AbortSignal.timeout(patienceMs);
  const { promise, reject } = Promise.withResolvers<never>();
  late.addEventListener("abort", () => reject(new Error(`the moment never came: ${name}`)));
  await Promise.race([struck, promise]);
}
