import type { Message } from "../model/model.ts";
import type { ShownObservations } from "./shown-observations.ts";

/** What was said so far. Whatever a loop says is added, so that another one can go on with it. */
export interface Conversation {
  readonly messages: Message[];
  readonly shown: ShownObservations;
}
