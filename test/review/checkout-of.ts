import type { Checkout, CheckoutEntry } from "../../src/checkout/snapshot.ts";

/** A checkout of the given files, as far as reading goes. */
export function checkoutOf(files: Readonly<Record<string, string>>): Checkout {
  const entries = new Map(
    Object.entries(files).map(([path, text]): [string, CheckoutEntry] => {
      const size = Buffer.byteLength(text);
      return [path, { path, mode: "100644", blob: path, size, sha256: "" }];
    }),
  );
  const read = async (path: string) => (files[path] === undefined ? null : Buffer.from(files[path]));
  return { entries, paths: [...entries.keys()], notes: [], tree: "tree", read } as unknown as Checkout;
}
