import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drive } from "./drive.ts";

const program = join(import.meta.dirname, "main.ts");

test("serves a plan from the shell until it is interrupted", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "model-server-"));
  const file = join(folder.path, "plan.json");
  const edits = [{ path: "a.py", old_text: "1", new_text: "2" }];
  writeFileSync(file, JSON.stringify({ edits, root_cause: "wrong", summary: "right" }));
  const child = spawn(process.execPath, [program, "--policy", file], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data");
  const url = /^OPENAI_BASE_URL=(\S+) AUTOLITH_MODEL=scripted\n$/.exec(String(line))?.[1] ?? "";
  expect(await drive(url, 4)).toHaveLength(4);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("explains its use when the policy is missing or unknown", async () => {
  for (const args of [[], ["--policy", "no-such-policy"]]) {
    const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    const [[text], [status]] = await Promise.all([once(child.stderr, "data"), once(child, "exit")]);
    expect(String(text)).toContain("--policy FILE.json|NAME");
    expect(status).toBe(2);
  }
});
