/**
 * Settles like `promise`, or rejects with the signal's reason as soon as it is aborted.
 * What the promise stands for goes on; it is the caller's to end.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: first, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    // Also listened to when it loses, so that its rejection is never an unhandled one.
    promise.then(resolve, reject);
    return await first;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
