import type { Logger } from "pino";
import { openLog } from "../../src/log/open-log.ts";

export interface CapturedLog {
  readonly log: Logger;
  /** All that was logged, as it was written. */
  text(): string;
  /** The lines with a message. */
  lines(message: string): Record<string, unknown>[];
}

/** The log of the product, at its most talkative, kept instead of printed. */
export function capturedLog(secrets: readonly string[] = []): CapturedLog {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  return {
    log: openLog({ level: "debug", secrets, destination }),
    text: () => written.join(""),
    lines: (message) => written.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message),
  };
}
