import { generateKeyPairSync } from "node:crypto";
import { createNodeMiddleware, Probot } from "probot";
import { onTestFinished } from "vitest";
import autolith from "../../src/app.ts";
import type { Change, Effect } from "../../src/job/change.ts";
import { withoutBodies } from "../../src/log/open-log.ts";
import type { BodyLimits } from "../../src/server/read-body.ts";
import { startServer, webhookPath } from "../../src/server.ts";
import { ownAppId } from "../webhook/event-payloads.ts";
import { capturedLog } from "./captured-log.ts";
import { secret } from "./deliver.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

interface Parts {
  readonly accept?: (delivery: { guid: string; event: string }, change: Change) => Promise<Effect>;
  readonly checkHealth?: () => Promise<void>;
  readonly limits?: BodyLimits;
  readonly role?: "worker";
}

/** A server with the whole App behind it, where accepted changes are kept in a list. */
export async function startApp(parts: Parts = {}) {
  const captured = capturedLog([secret]);
  const changes: Change[] = [];
  const keep = async (_delivery: unknown, change: Change): Promise<Effect> => {
    changes.push(change);
    return { kind: "accepted" };
  };
  const { log } = captured;
  const probot = new Probot({ appId: ownAppId, privateKey: pem, secret, log: withoutBodies(log) });
  const app = autolith({ ownAppId, accept: parts.accept ?? keep, log });
  const receive = await createNodeMiddleware(app, { probot, webhooksPath: webhookPath });
  const server = await startServer({
    listen: { host: "127.0.0.1", port: 0 },
    webhook: parts.role === "worker" ? null : { secret, receive, ...(parts.limits && { limits: parts.limits }) },
    checkHealth: parts.checkHealth ?? (async () => {}),
    log,
  });
  onTestFinished(() => server.close(0));
  return { ...captured, server, changes };
}
