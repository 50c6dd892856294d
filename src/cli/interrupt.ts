/** A signal that aborts on the first SIGINT or SIGTERM; disposing it gives the process its usual behaviour back. */
export function abortOnSignals(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("interrupted by the user"));
  process.once("SIGINT", abort);
  process.once("SIGTERM", abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      process.off("SIGINT", abort);
      process.off("SIGTERM", abort);
    },
  };
}
