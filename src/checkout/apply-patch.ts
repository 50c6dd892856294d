import type { ObjectStore, TreeChange } from "./object-store.ts";
import type { Patch } from "./patch.ts";

/** The id of the tree that a patch makes of `tree`; nothing outside the store is touched. */
export async function applyPatch(store: ObjectStore, tree: string, patch: Patch, signal: AbortSignal): Promise<string> {
  const writes = patch.filter((change) => change.kind === "write");
  const blobs = await store.writeBlobs(
    writes.map((change) => change.bytes),
    signal,
  );
  const written = writes.map(({ path, executable }, index): TreeChange => {
    const blob = blobs[index] ?? "";
    return { path, to: { mode: executable ? "100755" : "100644", blob } };
  });
  const deleted = patch
    .filter((change) => change.kind === "delete")
    .map(({ path }): TreeChange => ({ path, to: null }));
  return store.changeTree(tree, [...deleted, ...written], signal);
}
