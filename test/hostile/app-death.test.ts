import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reapInstance } from "../../src/sandbox/reaper.ts";
import { engineUnderTest, never } from "../docker/engine-under-test.ts";

const doomedApp = fileURLToPath(new URL("doomed-app.ts", import.meta.url));

test.each([
  ["loops", "while True: pass"],
  [
    "forks without end and ignores signals",
    "import os, signal\nsignal.signal(2, signal.SIG_IGN)\nwhile True:\n    try: os.fork()\n    except OSError: pass",
  ],
])("a sandbox whose code %s is gone within 15 seconds after its app was killed", async (_name, code) => {
  const under = await engineUnderTest();
  const app = spawn(process.execPath, [doomedApp, under.labels.instance, code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(app.stdout, "data");
    await sleep(300);
    expect((await under.leftOvers()).length).toBe(2);
    app.kill("SIGKILL");
    await expect.poll(() => under.leftOvers(), { timeout: 15_000, interval: 200 }).toEqual([]);
  } finally {
    app.kill("SIGKILL");
    await reapInstance(under.engine, under.labels.instance, never);
  }
});
