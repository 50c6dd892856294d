// Makes what Autolith runs in: a container engine that answers, and the sandbox image of this checkout, whose tag it prints.
import { fileURLToPath } from "node:url";
import { AutolithError, messageOf } from "../../src/errors.ts";
import { statusOf } from "../../src/sandbox/engine.ts";
import { withLock } from "./lock.mjs";
import { engineIn, readyEngine } from "./ready-engine.ts";
import { ensureSandboxImage } from "./sandbox-image.ts";
import { setupLock } from "./setup-lock.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

try {
  const tag = await withLock(setupLock(), async () => {
    const { docker } = await readyEngine(engineIn(process.env));
    return ensureSandboxImage(docker, root);
  });
  process.stdout.write(`${tag}\n`);
} catch (error) {
  if (!(error instanceof AutolithError) && statusOf(error) === undefined) throw error;
  process.stderr.write(`setup: ${messageOf(error).trim()}\n`);
  process.exitCode = 3;
}
