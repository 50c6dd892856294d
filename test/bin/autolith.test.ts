import { chmod, cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runNode, startNode } from "../setup/run-node.ts";
import { writeProject } from "../setup/small-project.ts";
import { temporaryFolder } from "../setup/temporary-folder.ts";

const checkout = fileURLToPath(new URL("../../", import.meta.url));
const pretendOlder = ["--import", new URL("older-node.mjs", import.meta.url).href];

/** Where the packages of the project have a Node of their own for this platform. */
const BROUGHT = `node_modules/node-${process.platform}-${process.arch}/bin/node`;

/** A checkout whose command line is the given code; its packages bring this Node. */
async function checkoutWith(cli: string): Promise<{ root: string; launcher: string }> {
  const root = await temporaryFolder();
  for (const path of ["bin/autolith", "sandbox/setup/dependencies.mjs", "sandbox/setup/lock.mjs"]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await cp(join(checkout, path), join(root, path));
  }
  await writeProject(root, {});
  await mkdir(join(root, "node_modules/.bin"), { recursive: true });
  await mkdir(dirname(join(root, BROUGHT)), { recursive: true });
  await writeFile(join(root, "node_modules/.package-lock.json"), '{ "packages": {} }');
  await symlink(process.execPath, join(root, BROUGHT));
  await mkdir(join(root, "src"));
  await writeFile(join(root, "src/cli.ts"), cli);
  return { root, launcher: join(root, "bin/autolith") };
}

describe.each([
  { on: "a Node that is new enough", flags: [], command: "fix" },
  { on: "a Node that is new enough, as a service", flags: [], command: "serve" },
  { on: "an older Node", flags: pretendOlder, command: "fix" },
  { on: "an older Node, as a service", flags: pretendOlder, command: "serve" },
])("on $on", ({ flags, command }) => {
  test("hands over arguments, working directory and standard input, and nothing of its own gets into the output", async () => {
    const { launcher } = await checkoutWith(`
      import { text } from "node:stream/consumers";
      const input: string = await text(process.stdin);
      process.stdout.write(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), input }));
      process.stderr.write("progress");
    `);
    const cwd = await temporaryFolder();
    const args = [command, "--repo", "a folder", "--", "-x", ""];
    const end = await runNode([...flags, launcher, ...args], { cwd, input: "from outside" });
    expect({ ...end, stdout: JSON.parse(end.stdout) }).toEqual({
      status: 0,
      signal: null,
      stdout: { args, cwd, input: "from outside" },
      stderr: "progress",
    });
  });

  test("works through a symbolic link", async () => {
    const { launcher } = await checkoutWith('process.stdout.write("here");');
    const link = join(await temporaryFolder(), "autolith");
    await symlink(launcher, link);
    expect(await runNode([...flags, link, command])).toMatchObject({ status: 0, stdout: "here" });
  });

  test.each([0, 1, 2, 3, 42])("ends with the exit status %i of the command line", async (status) => {
    const { launcher } = await checkoutWith(`process.exitCode = ${status};`);
    expect(await runNode([...flags, launcher, command])).toMatchObject({ status, signal: null });
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("lets the command line answer %s", async (signal) => {
    const { launcher } = await checkoutWith(`
      process.on("${signal}", () => { console.log("got it"); process.exit(1); });
      setTimeout(() => {}, 60_000);
      console.log("ready");
    `);
    const { child, line, end } = startNode([...flags, launcher, command]);
    await line;
    child.kill(signal);
    expect(await end).toEqual({ status: 1, signal: null, stdout: "ready\ngot it\n", stderr: "" });
  });

  test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("dies of %s when the command line does", async (signal) => {
    const { launcher } = await checkoutWith(`process.kill(process.pid, "${signal}"); setTimeout(() => {}, 60_000);`);
    expect(await runNode([...flags, launcher, command])).toMatchObject({ status: null, signal });
  });
});

describe.each([
  { on: "a Node that is new enough", flags: [] },
  { on: "an older Node", flags: pretendOlder },
])("on $on", ({ flags }) => {
  const small = "--max-semi-space-size=8";

  test("starts a service, and nothing else, with a small heap for short-lived objects", async () => {
    const { launcher } = await checkoutWith("process.stdout.write(process.execArgv.join());");
    expect(await runNode([...flags, launcher, "serve"])).toMatchObject({ stdout: small, stderr: "" });
    expect(await runNode([...flags, launcher, "fix", "serve"])).toMatchObject({
      stdout: expect.not.stringContaining(small),
    });
  });

  test("keeps what NODE_OPTIONS says of a service", async () => {
    const { launcher } = await checkoutWith("process.stdout.write(process.execArgv.concat(process.title).join());");
    const told = (NODE_OPTIONS: string) => runNode([...flags, launcher, "serve"], { env: { NODE_OPTIONS } });
    expect(await told("--title=own")).toMatchObject({ stdout: `${small},own` });
    expect(await told("--title=own --max-semi-space-size=32")).toMatchObject({ stdout: "own" });
    expect(await told("--title=own --max_semi_space_size=32")).toMatchObject({ stdout: "own" });
  });
});

test("keeps the flags of a service whose Node was started with some", async () => {
  const { launcher } = await checkoutWith("process.stdout.write(process.execArgv.join());");
  expect(await runNode(["--title=own", launcher, "serve"])).toMatchObject({
    stdout: "--title=own,--max-semi-space-size=8",
  });
});

test("installs missing packages first, with all that is said about it on standard error", async () => {
  const { root, launcher } = await checkoutWith(`
    import left from "left/package.json" with { type: "json" };
    process.stdout.write(left.version);
  `);
  await rm(join(root, "node_modules"), { recursive: true });
  await writeProject(root, { dependencies: { left: "1.0.0" } });
  expect(await runNode([launcher])).toEqual({
    status: 0,
    signal: null,
    stdout: "1.0.0",
    stderr: "setup: installing the packages of package-lock.json\n",
  });
});

test("does not install only because development packages are missing", async () => {
  const { root, launcher } = await checkoutWith('process.stdout.write("result");');
  await writeProject(root, { devDependencies: { right: "1.0.0" } });
  expect(await runNode([launcher])).toMatchObject({ status: 0, stdout: "result", stderr: "" });
});

test("ends with the status for broken infrastructure when no Node is new enough", async () => {
  const { root, launcher } = await checkoutWith("");
  const brought = join(root, BROUGHT);
  await rm(brought);
  await writeFile(brought, "#!/bin/sh\necho v20.20.2\n");
  await chmod(brought, 0o755);
  const end = await runNode([...pretendOlder, launcher]);
  expect(end).toMatchObject({ status: 3, stdout: "" });
  expect(end.stderr).toContain("autolith: Node 24 or later is needed");
});
