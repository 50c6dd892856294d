import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder that goes when the test ends; its path has no symbolic links. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "autolith-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
