import type { Logger } from "pino";

/** A listener for errors that come in floods while something is down: logs one at most per interval, with how many were left out. */
export function logSparingly(log: Logger, message: string, intervalMs = 10_000): (error: Error) => void {
  let last = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  return (error) => {
    if (performance.now() - last < intervalMs) {
      leftOut += 1;
      return;
    }
    log.warn({ err: error, leftOut }, message);
    last = performance.now();
    leftOut = 0;
  };
}
