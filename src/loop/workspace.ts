import type { Workspace } from "./tool/tool.ts";

type Given = Pick<Workspace, "session" | "checkout" | "target" | "executionMs" | "testRunMs" | "judge">;

/** A workspace that nobody has worked in yet. */
export function openWorkspace(given: Given): Workspace {
  return {
    ...given,
    created: new Set(),
    refusedEdits: [],
    epoch: 0,
    lastTestRun: null,
    touched: false,
    greenUntouched: false,
  };
}
