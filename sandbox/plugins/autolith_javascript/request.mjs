/** What a run of vitest or jest is asked for; read once, in the runner's own process, before any test ran. */
import fs from "node:fs";

/** @type {{ select: string[] | null, shuffleSeed: number | null }} */
export const request = read();

function read() {
  try {
    return { select: null, shuffleSeed: null, ...JSON.parse(fs.readFileSync(process.env.AUTOLITH_INPUT, "utf8")) };
  } catch {
    return { select: null, shuffleSeed: null };
  }
}
