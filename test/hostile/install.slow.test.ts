import { afterAll, beforeAll, expect, test } from "vitest";
import { type InstallScene, installScene } from "../dependencies/install-scene.ts";
import { engineUnderTest, never } from "../docker/engine-under-test.ts";

const attack = `
const { spawn, execSync } = require("node:child_process");
const fs = require("node:fs");
// A daemon that outlives the script, and would change what was sealed.
spawn("sh", ["-c", "while true; do echo tainted > /layer/.autolith/manifest.json; echo x >> /work/node_modules/evil/grown; sleep 0.05; done"], { detached: true, stdio: "ignore" }).unref();
const seen = [];
for (const place of ["/etc/passwd", "/opt/autolith/supervisor/layer.py", "/usr/local/bin/node", "/srv/x", "/var/run/docker.sock"]) {
  try { fs.writeFileSync(place, "x"); seen.push("wrote " + place); } catch {}
}
for (const place of ["/proc/1/environ", "/proc/1/mem", "/var/run/docker.sock"]) {
  try { fs.readFileSync(place); seen.push("read " + place); } catch {}
}
fs.mkdirSync("/layer/.autolith/tree", { recursive: true });
fs.writeFileSync("/layer/.autolith/tree/planted", "x");
fs.symlinkSync("/etc", "/work/node_modules/outside");
execSync("mkfifo /work/node_modules/evil/pipe; ln -s /proc/self/environ /work/node_modules/evil/link; chmod 4777 /work/node_modules/evil/index.js; mkdir -p /work/.git/hooks; echo 'touch /work/hooked' > /work/.git/hooks/post-commit; chmod 777 /work/.git/hooks/post-commit");
fs.writeFileSync("seen.json", JSON.stringify({ seen, env: process.env }));
`;

let scene: InstallScene;

beforeAll(async () => {
  const postinstall = { scripts: { postinstall: "node attack.js" } };
  scene = await installScene({
    npm: [
      {
        name: "evil",
        version: "1.0.0",
        manifest: postinstall,
        files: { "index.js": "module.exports = 1;\n", "attack.js": attack },
      },
      {
        name: "huge",
        version: "1.0.0",
        manifest: {
          scripts: {
            postinstall:
              "i=0; while head -c 200000000 /dev/zero > /layer/.autolith/big$i; do i=$((i+1)); done; sleep 60",
          },
        },
      },
      { name: "slow", version: "1.0.0", manifest: { scripts: { postinstall: "sleep 600" } } },
      {
        name: "swap",
        version: "1.0.0",
        manifest: {
          scripts: { postinstall: "rm -rf /layer/.autolith/* /layer/.autolith; ln -s /tmp /layer/.autolith" },
        },
      },
    ],
  });
});

afterAll(() => scene[Symbol.asyncDispose]());

function needs(name: string): Record<string, string> {
  const manifest = {
    name: "shop",
    version: "1.0.0",
    scripts: { test: "node --test" },
    dependencies: { [name]: "1.0.0" },
  };
  return { "package.json": JSON.stringify(manifest), "package-lock.json": scene.registry.npm.lockfile(manifest) };
}

async function containers(): Promise<string[]> {
  const { engine } = await engineUnderTest();
  const filters = { label: [`dev.autolith.instance=${scene.owner}`] };
  return (await engine.docker.listContainers({ all: true, filters })).map(({ Id }) => Id);
}

test("a hostile script leaves files in its own package, and nothing else", async () => {
  process.env["AUTOLITH_TEST_SECRET"] = "hunter2";
  const installed = await scene.install(needs("evil"), "npm test");
  delete process.env["AUTOLITH_TEST_SECRET"];
  expect(installed.record).toMatchObject({ ok: true, notes: ["install scripts were run, for evil"] });
  expect(await containers()).toEqual([]);
  await using sandbox = await installed.start();
  const file = await sandbox.get("node_modules/evil/seen.json", 100_000, never);
  const { seen, env } = JSON.parse(Buffer.from(file?.bytes ?? []).toString());
  expect(seen).toEqual([]);
  expect(JSON.stringify(env)).not.toMatch(/hunter2|TOKEN|SECRET|API_KEY/);
  const look =
    "ls -A /work /layer/.autolith; ls -A /layer/.autolith/tree; find /work/node_modules/evil -perm -4000 -o -type p; test -e /work/hooked || echo no hook; ls /work/.git/hooks 2>&1";
  const run = await sandbox.run(
    { argv: ["sh", "-c", look], cwd: "/", env: {}, timeoutMs: 30_000, report: false },
    never,
  );
  expect(run.stdout.text).not.toMatch(/planted|tainted|post-commit|pipe|index\\.js/);
  expect(run.stdout.text).toContain("no hook");
  const write = await sandbox.run(
    {
      argv: ["sh", "-c", "echo x > /layer/.autolith/venv || echo x > /layer/x"],
      cwd: "/",
      env: {},
      timeoutMs: 30_000,
      report: false,
    },
    never,
  );
  expect(write.stderr.text).toMatch(/Read-only file system/);
});

test.each([
  ["huge", /held more than|no space/i],
  ["swap", /the folder of the layer|certificates|No such file/i],
])("an install of %s makes no layer", async (name, reason) => {
  const before = await scene.layers();
  const { installed } = await scene.install(needs(name), "npm test");
  expect(installed).toMatchObject({ kind: "failed", reason: expect.stringMatching(reason) });
  expect(await scene.layers()).toEqual(before);
  expect(await containers()).toEqual([]);
});

test("an install that takes too long is ended, and leaves nothing", async () => {
  const before = await scene.layers();
  const { installed } = await scene.install(needs("slow"), "npm test", { timeoutMs: 15_000 });
  expect(installed).toMatchObject({
    kind: "failed",
    reason: expect.stringContaining("longer than an install may take"),
  });
  expect(await scene.layers()).toEqual(before);
  expect(await containers()).toEqual([]);
});
