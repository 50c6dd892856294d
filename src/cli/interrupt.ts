/** A terminal and the launcher may both pass on one Ctrl-C: what comes within this time is the same one. */
const sameMs = 1_000;
/** What a shell reports for a process that SIGINT ended. */
const interruptedStatus = 130;

/**
 * A signal that aborts on the first SIGINT or SIGTERM, so that the run can end in order; another one ends the process at once.
 * Disposing it gives the process its usual behaviour back.
 */
export function abortOnSignals(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  let first = Number.POSITIVE_INFINITY;
  const interrupt = () => {
    if (performance.now() - first > sameMs) process.exit(interruptedStatus);
    if (controller.signal.aborted) return;
    first = performance.now();
    controller.abort(new Error("interrupted by the user"));
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
    },
  };
}
