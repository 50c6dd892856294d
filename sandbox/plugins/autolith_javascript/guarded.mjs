/** Undefined instead of an error: what is reported may suffer from hostile objects, the tests may not. */
export function guarded(use) {
  try {
    return use();
  } catch {
    return undefined;
  }
}
