import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";

const program = join(import.meta.dirname, "demo.ts");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "autolith-test-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the demo as `npm run demo` does after its set-up, with data that only these tests share. */
async function demo(...args: string[]) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, TMPDIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [status, output, told] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, output, told };
}

test("opens two proven pull requests, however often it is run", async () => {
  for (let run = 1; run <= 4; run += 1) {
    const { status, output, told } = await demo("--json");
    const { repositories } = JSON.parse(output.trim().split("\n").at(-1) ?? "") as {
      repositories: readonly { readonly outcome: string }[];
    };
    const outcomes = repositories.map(({ outcome }) => outcome);
    expect({ run, outcomes, told }).toEqual({ run, outcomes: ["opened", "opened"], told: expect.any(String) });
    expect(status).toBe(0);
  }
}, 600_000);
