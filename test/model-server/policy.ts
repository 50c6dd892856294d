import type { Answer } from "./answer.ts";
import type { Conversation } from "./conversation.ts";

/**
 * The scripted model's mind: reacts to what it has seen. Most are functions of the conversation alone, so that one server can serve
 * several; a policy that throws makes the request fail and is reported when the server is closed.
 */
export interface Policy {
  (conversation: Conversation): Answer;
  /** What a script still expects to happen; reported when the server is closed. */
  leftovers?(): readonly string[];
}

/** One policy for the first requests, whatever conversation they belong to, then another one. */
export function firstly(times: number, first: Policy, then: Policy): Policy {
  let requests = 0;
  return passingOn([first, then], (conversation) => {
    requests += 1;
    return requests <= times ? first(conversation) : then(conversation);
  });
}

/** One policy while the condition holds, another one otherwise. */
export function when(condition: (conversation: Conversation) => boolean, first: Policy, otherwise: Policy): Policy {
  return passingOn([first, otherwise], (conversation) =>
    condition(conversation) ? first(conversation) : otherwise(conversation),
  );
}

function passingOn(parts: readonly Policy[], policy: Policy): Policy {
  policy.leftovers = () => parts.flatMap((part) => part.leftovers?.() ?? []);
  return policy;
}
