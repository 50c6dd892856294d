import { setTimeout as delay } from "node:timers/promises";
import type { Fault } from "../twin/http/faults.ts";
import type { RequestRecord } from "../twin/http/journal.ts";
import { watchContainers } from "./left-overs.ts";
import { eventually } from "./red-repository.ts";
import type { Service } from "./run-serve.ts";

/** What a killing needs to see coming. */
export interface Victim {
  readonly service: Service;
  /** Resolves when the failing check was delivered. */
  readonly delivered: Promise<void>;
  /** Calls back with the number of each of the model's requests from now on, before it is answered. */
  onModelRequest(listener: (nth: number) => boolean): void;
}

/** A moment of a job's life at which the process is killed. It is known by what the outside sees, so it is always the same one. */
export interface KillPoint {
  readonly name: string;
  readonly stage: "queued" | "opening" | "attempt" | "publishing" | "closing" | "ended";
  /** Whether the patch is proven by then, so that nothing may be paid any more. */
  readonly proven: boolean;
  /** How many of the model's answers an attempt has got by then. */
  readonly answers: number;
  /** Whether an answer is under way: it counts, since nobody knows whether it was given. */
  readonly inFlight: boolean;
  /** Kills the process when the moment has come; resolves when it is dead. */
  strike(victim: Victim): Promise<void>;
}

/** How many answers the scripted model needs for the repair. */
export const answersNeeded = 7;

type Stage = Pick<KillPoint, "stage" | "proven" | "answers" | "inFlight">;
const unproven = { proven: false, answers: 0, inFlight: false };
const proven = { proven: true, answers: answersNeeded, inFlight: false };
const waiting: Stage = { stage: "queued", ...unproven };
const opening: Stage = { stage: "opening", ...unproven };
const attempt: Stage = { stage: "attempt", ...unproven };
const publishing: Stage = { stage: "publishing", ...proven };
const closing: Stage = { stage: "closing", ...proven };

/** When GitHub gets a request, or when it has carried it out; either way the answer never comes. */
function atRequest(name: string, stage: Stage, { after: done = false, ...fault }: Fault): KillPoint {
  return {
    name: `${done ? "after" : "before"} ${name}`,
    ...stage,
    strike: ({ service }) =>
      new Promise((struck) => {
        const meanwhile = async () => {
          await service.kill();
          struck();
        };
        service.twin.fault({ ...fault, after: done, drop: true, meanwhile });
      }),
  };
}

function around(name: string, stage: Stage, fault: Fault): KillPoint[] {
  return [atRequest(name, stage, fault), atRequest(name, stage, { ...fault, after: true })];
}

function atModelRequest(wanted: number): KillPoint {
  return {
    name: `at the model's request ${wanted}`,
    ...attempt,
    answers: wanted - 1,
    inFlight: true,
    strike: ({ service, onModelRequest }) =>
      new Promise((struck) =>
        onModelRequest((nth) => {
          if (nth !== wanted) return false;
          void service.kill().then(struck);
          return true;
        }),
      ),
  };
}

/** When the engine says so of the nth container of an attempt. */
function atContainer(name: string, stage: Stage, action: string, wanted: number): KillPoint {
  return {
    name,
    ...stage,
    strike: async ({ service }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let seen = 0;
      using _ = await watchContainers(service.data, (each) => {
        if (each === action) seen += 1;
        if (each === action && seen === wanted) void service.kill().then(resolve);
      });
      await promise;
    },
  };
}

const queued: KillPoint = {
  name: "while it is queued",
  ...waiting,
  strike: async ({ service, delivered }) => {
    await delivered;
    await service.kill();
  },
};

const ended: KillPoint = {
  name: "when it has ended",
  stage: "ended",
  ...proven,
  strike: async ({ service }) => {
    const from = service.log().length;
    await eventually("the end of the job", () => endOfJob(service.log().slice(from)));
    await delay(300);
    await service.kill();
  },
};

/** The line with which a job's end is logged, if there is one. */
export function endOfJob(log: string): string | undefined {
  return /^.*"end":\{"kind":"ended".*$|^.*"msg":"job closed".*$/m.exec(log)?.[0];
}

function asks(permission: string, level: string) {
  return ({ route, body }: RequestRecord) =>
    route === "POST /app/installations/{installation_id}/access_tokens" &&
    (body as { permissions?: Record<string, string> } | undefined)?.permissions?.[permission] === level;
}

const completes = ({ body }: RequestRecord) => (body as { status?: string } | undefined)?.status === "completed";
const comments = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
const checkRuns = "/repos/{owner}/{repo}/check-runs";

export const killPoints: readonly KillPoint[] = [
  queued,
  atRequest("its first request", waiting, { path: "/app/installations/{installation_id}/access_tokens" }),
  ...around("the check run is made", opening, { method: "POST", path: checkRuns }),
  ...around("the comment is made", opening, {
    method: "POST",
    path: "/repos/{owner}/{repo}/issues/{issue_number}/comments",
  }),
  atRequest("the checkout's first request", attempt, { path: /\.git\/info\/refs$/ }),
  atRequest("the checkout's pack", attempt, { path: /\.git\/git-upload-pack$/ }),
  atRequest("the log is read", attempt, { path: "/repos/{owner}/{repo}/actions/jobs/{job_id}/logs" }),
  atContainer("when the first container is made", attempt, "create", 1),
  atContainer("in triage", attempt, "start", 1),
  ...Array.from({ length: answersNeeded }, (_, index) => atModelRequest(index + 1)),
  atContainer("in the proof", { ...attempt, answers: answersNeeded }, "start", 2),
  atRequest("the token for publishing", publishing, { when: asks("contents", "write") }),
  ...around("the branch is made", publishing, { method: "POST", path: "/repos/{owner}/{repo}/git/refs" }),
  ...around("the commit is made", publishing, { path: "/graphql" }),
  ...around("the pull request is opened", publishing, { method: "POST", path: "/repos/{owner}/{repo}/pulls" }),
  ...around("the check run is completed", closing, {
    method: "PATCH",
    path: `${checkRuns}/{check_run_id}`,
    when: completes,
  }),
  ...around("the last comment", closing, {
    method: "PATCH",
    path: comments,
    when: ({ body }) => /Repair proposed/.test(JSON.stringify(body)),
  }),
  ended,
];
