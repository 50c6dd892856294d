import { type Answer, found } from "../http/answer.ts";
import type { Call, Route } from "../http/call.ts";
import { pageByCursor } from "../http/cursor-pagination.ts";
import type { Json } from "../json/accounts.ts";
import type { Delivery, Webhooks } from "../webhooks/webhooks.ts";

/** What the app can ask about its webhook's deliveries. */
export function hookDeliveryRoutes(webhooks: Webhooks): readonly Route[] {
  const byId = (call: Call): Delivery => found(webhooks.deliveries.find(({ id }) => id === call.number("delivery_id")));
  return [
    { on: "GET /app/hook/deliveries", needs: "app", answer: (call) => list(call, webhooks) },
    {
      on: "GET /app/hook/deliveries/{delivery_id}",
      needs: "app",
      answer: (call) => ({ status: 200, body: detailJson(byId(call)) }),
    },
    {
      on: "POST /app/hook/deliveries/{delivery_id}/attempts",
      needs: "app",
      answer: (call) => {
        const delivery = byId(call);
        webhooks.defer(() => webhooks.redeliver(delivery));
        return { status: 202, body: {} };
      },
    },
  ];
}

function list(call: Call, webhooks: Webhooks): Answer {
  const { status } = call.query;
  const succeeded = (delivery: Delivery): boolean => delivery.status >= 200 && delivery.status < 300;
  const wanted = webhooks.deliveries.filter(
    (delivery) => status === undefined || (status === "success") === succeeded(delivery),
  );
  return pageByCursor(call, wanted.toReversed(), itemJson);
}

function itemJson(delivery: Delivery): Json {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.at,
    redelivery: delivery.redelivery,
    duration: Math.round(delivery.durationMs) / 1000,
    status: delivery.status >= 200 && delivery.status < 300 ? "OK" : `Invalid HTTP Response: ${delivery.status}`,
    status_code: delivery.status,
    event: delivery.event,
    action: delivery.action,
    installation_id: idIn(delivery.payload["installation"]),
    repository_id: idIn(delivery.payload["repository"]),
    throttled_at: null,
  };
}

function detailJson(delivery: Delivery): Json {
  const headers = { "X-GitHub-Delivery": delivery.guid, "X-GitHub-Event": delivery.event };
  return {
    ...itemJson(delivery),
    request: { headers, payload: delivery.payload },
    response: { headers: {}, payload: delivery.response },
  };
}

function idIn(part: unknown): number | null {
  const id = (part as Json | undefined)?.["id"];
  return typeof id === "number" ? id : null;
}
