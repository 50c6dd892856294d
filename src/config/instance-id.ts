import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AutolithError, messageOf } from "../errors.ts";

const idPattern = /^[0-9a-f-]{36}$/;

/**
 * The id of the service that owns a data directory: made once, the same after every start, so that containers of an earlier process are
 * known for its own. Throws `AutolithError("config")` when the directory cannot be used.
 */
export function instanceId(dataDirectory: string): string {
  const path = join(dataDirectory, "instance-id");
  try {
    mkdirSync(dataDirectory, { recursive: true });
    // Whoever comes second finds the first one's id.
    writeFileSync(path, `${randomUUID()}\n`, { flag: "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) {
      throw new AutolithError("config", `the data directory ${dataDirectory} cannot be written: ${messageOf(error)}`);
    }
  }
  const id = readFileSync(path, "utf8").trim();
  if (idPattern.test(id)) return id;
  throw new AutolithError("config", `${path} does not hold an id; delete it to have a new one made`);
}
