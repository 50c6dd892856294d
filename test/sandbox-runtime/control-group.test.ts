import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../sandbox/supervisor", import.meta.url));

/** What the supervisor reads from a control group made of these files. */
async function read(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "autolith-cgroup-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    const program =
      "import sys; from control_group import ControlGroup; g = ControlGroup(sys.argv[1]); " +
      "print(g.version, g.memory_limit, g.oom_kills())";
    return execFileSync("python3", ["-Bc", program, root], { cwd: folder, encoding: "utf8" }).trim();
  } finally {
    await rm(root, { recursive: true });
  }
}

test("reads version 2", async () => {
  const files = {
    "cgroup.controllers": "memory pids\n",
    "memory.max": "1048576\n",
    "memory.events": "low 0\noom 4\noom_kill 3\n",
  };
  expect(await read(files)).toBe("2 1048576 3");
});

test("reads version 1", async () => {
  const files = {
    "memory/memory.limit_in_bytes": "2097152\n",
    "memory/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n",
  };
  expect(await read(files)).toBe("1 2097152 5");
});

test("takes the machine's memory where there is no limit, and no kills where none are told", async () => {
  const unlimited = await read({ "cgroup.controllers": "", "memory.max": "max\n" });
  expect(unlimited).toMatch(/^2 \d{9,} 0$/);
  expect(await read({})).toBe(unlimited.replace("2", "1"));
});
