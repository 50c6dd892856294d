import { type DestinationStream, type LevelWithSilent, type Logger, pino } from "pino";
import { redact } from "../redact.ts";
import { briefError } from "./brief-error.ts";

export interface LogOptions {
  readonly level: LevelWithSilent;
  /** Values that must not appear, besides what looks like a secret. */
  readonly secrets: readonly string[];
  /** Standard output by default. */
  readonly destination?: DestinationStream;
}

/** Headers that libraries log with requests. */
const secretHeaders = ["authorization", "cookie", "x-hub-signature", "x-hub-signature-256"];

/** A log of one JSON object per line, without secrets, headers that authorise, or what errors drag along. */
export function openLog({ level, secrets, destination = pino.destination(1) }: LogOptions): Logger {
  const paths = ["headers", "req.headers", "request.headers"].flatMap((parent) =>
    secretHeaders.map((name) => `${parent}["${name}"]`),
  );
  return pino(
    {
      level,
      redact: { paths, remove: true },
      serializers: { err: (error) => briefError(error) },
      hooks: { streamWrite: (line) => redact(line, secrets) },
    },
    destination,
  );
}

/** The same log for libraries whose debugging output holds the bodies of requests and webhooks. */
export function withoutBodies(log: Logger): Logger {
  const isChatty = log.isLevelEnabled("debug");
  return log.child({}, isChatty ? { level: "info" } : {});
}
