import { randomUUID } from "node:crypto";
import type { Json } from "../twin/json/accounts.ts";
import type { Twin } from "../twin/twin.ts";
import type { Delivery } from "../twin/webhooks/webhooks.ts";
import type { Happening } from "../twin/world/happening.ts";
import type { WorkflowRun } from "../twin/world/workflow.ts";
import { randomOf, shuffled } from "./seeded-random.ts";

/** A webhook that GitHub is about to send. */
export interface Message {
  readonly guid: string;
  readonly event: string;
  readonly payload: Json;
}

/** What GitHub sends about something that happened. */
export function messageOf(twin: Twin, happening: Happening): Message {
  return { guid: randomUUID(), event: happening.event, payload: twin.webhooks.payload(happening) };
}

/** What GitHub sends about a run of Actions that has ended: each of its checks, and the suite. */
export function messagesOfRun(twin: Twin, { suite, jobs }: WorkflowRun): Message[] {
  const sender = suite.app.bot;
  const action = "completed";
  const checks = jobs.map(({ checkRun }) => messageOf(twin, { event: "check_run", action, checkRun, sender }));
  return [...checks, messageOf(twin, { event: "check_suite", action, suite, sender })];
}

/** Each message twice, with the same GUID, in an order that follows from the seed. */
export function doubled(messages: readonly Message[], seed: number): Message[] {
  return shuffled([...messages, ...messages], randomOf(seed));
}

/** Delivers messages in their order, some at a time, and gives how each was answered. */
export async function deliverAll(
  twin: Twin,
  messages: readonly Message[],
  atATime: number,
): Promise<{ readonly message: Message; readonly delivery: Delivery }[]> {
  const waiting = messages.values();
  const answers: { message: Message; delivery: Delivery }[] = [];
  const sender = async (): Promise<void> => {
    for (const message of waiting) {
      const { event, payload, guid } = message;
      answers.push({ message, delivery: await twin.deliver(event, payload, { guid }) });
    }
  };
  await Promise.all(Array.from({ length: atATime }, sender));
  return answers;
}
