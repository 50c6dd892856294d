import { fileURLToPath } from "node:url";
import Docker from "dockerode";
import { AutolithError } from "../../src/errors.ts";
import { ensureSandboxImage } from "./images.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

try {
  process.stdout.write(`${await ensureSandboxImage(new Docker(), root)}\n`);
} catch (error) {
  if (!(error instanceof AutolithError)) throw error;
  process.stderr.write(`setup: ${error.message}\n`);
  process.exitCode = 3;
}
