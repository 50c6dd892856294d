/**
 * Settles like `promise`, or rejects with the signal's reason as soon as it is aborted.
 * What the promise stands for goes on; it is the caller's to end.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    // The race also listens to the loser, so that its rejection is never an unhandled one.
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
