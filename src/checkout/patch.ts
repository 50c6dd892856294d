/** One file of a patch. Only regular files: symlinks and submodules are refused before a patch is made. */
export type FileChange =
  | { readonly kind: "write"; readonly path: string; readonly executable: boolean; readonly bytes: Uint8Array }
  | { readonly kind: "delete"; readonly path: string };

/** What a repair changes, as data; sorted by path, at most one change a path. */
export type Patch = readonly FileChange[];

/** A rule that a patch breaks, with the place. `line` is 1-based in the new file, or in the old one for a deletion; 0 for the file as a whole. */
export interface Finding {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly severity: "error" | "warning";
  readonly message: string;
}
