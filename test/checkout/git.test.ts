import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runGit } from "../../src/checkout/git.ts";
import type { GitPlace } from "../../src/checkout/git-environment.ts";
import { AutolithError } from "../../src/errors.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";

const { signal } = new AbortController();

function placeIn(folder: TemporaryFolder): GitPlace {
  const home = join(folder.path, "home");
  mkdirSync(home, { recursive: true });
  return { gitDir: join(folder.path, "own.git"), home };
}

async function initialised(folder: TemporaryFolder): Promise<GitPlace> {
  const place = placeIn(folder);
  await runGit(place, ["init", "--quiet", "--bare", "--template=", place.gitDir], {}, signal);
  return place;
}

test("hands every byte of the input to git and every byte of its output back", async () => {
  using folder = temporaryFolder();
  const place = await initialised(folder);
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256);
  const input = [bytes.subarray(0, 1_000), bytes.subarray(1_000)];
  const { stdout } = await runGit(place, ["hash-object", "-w", "--stdin"], { input }, signal);
  const back = await runGit(place, ["cat-file", "blob", stdout.toString().trim()], {}, signal);
  expect(back.stdout.equals(bytes)).toBe(true);
});

test("names the subcommand and what git said when it fails, without secrets", async () => {
  using folder = temporaryFolder();
  const place = await initialised(folder);
  const token = `ghp_${"a1B2".repeat(9)}`;
  const failing = runGit(place, ["cat-file", "blob", token], {}, signal);
  await expect(failing).rejects.toThrow("git cat-file ended with 128: fatal: Not a valid object name [redacted]");
  await expect(failing).rejects.toMatchObject({ code: "infrastructure" });
  await expect(failing).rejects.not.toThrow(token);
});

test("stops git when it writes more than the limit", async () => {
  using folder = temporaryFolder();
  const place = await initialised(folder);
  const input = [Buffer.alloc(2_000_000, "x")];
  const { stdout } = await runGit(place, ["hash-object", "-w", "--stdin"], { input }, signal);
  const options = { maxOutputBytes: 1_000 };
  const reading = runGit(place, ["cat-file", "blob", stdout.toString().trim()], options, signal);
  await expect(reading).rejects.toThrow("git cat-file wrote more than 1000 bytes");
});

test("stops git when it takes longer than the limit", async () => {
  using folder = temporaryFolder();
  const place = await initialised(folder);
  const waiting = runGit(place, ["hash-object", "--stdin"], { input: never(), timeoutMs: 200 }, signal);
  await expect(waiting).rejects.toThrow("git hash-object did not end within 0.2 s");
});

test("rejects with the signal's reason when aborted", async () => {
  using folder = temporaryFolder();
  const place = await initialised(folder);
  const controller = new AbortController();
  const reason = new Error("stopped by a person");
  const waiting = runGit(place, ["hash-object", "--stdin"], { input: never() }, controller.signal);
  setTimeout(() => controller.abort(reason), 50);
  await expect(waiting).rejects.toBe(reason);
  await expect(runGit(place, ["version"], {}, controller.signal)).rejects.toBe(reason);
});

test("passes on an error of the input, and git is gone", async () => {
  using folder = temporaryFolder();
  const place = await initialised(folder);
  const broken = new AutolithError("usage", "cannot read a.txt");
  async function* input() {
    yield "some bytes";
    throw broken;
  }
  await expect(runGit(place, ["hash-object", "--stdin"], { input: input() }, signal)).rejects.toBe(broken);
});

test("says so when git's working directory does not exist", async () => {
  using folder = temporaryFolder();
  const place = placeIn(folder);
  const starting = runGit(place, ["version"], { cwd: join(folder.path, "gone") }, signal);
  await expect(starting).rejects.toThrow(/^git version could not be started/);
});

test("takes nothing from the user's environment or configuration", async () => {
  using folder = temporaryFolder();
  const place = await initialised(folder);
  folder.write({
    "home/.gitconfig": "[user]\n\tname = mallory\n",
    "home/git/config": "[user]\n\temail = m@example.org\n",
  });
  const { stdout } = await runGit(place, ["config", "--list", "--show-origin"], {}, signal);
  const origins = new Set(
    stdout
      .toString()
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split("\t")[0]),
  );
  expect([...origins].filter((origin) => origin !== "command line:" && !origin?.endsWith("own.git/config"))).toEqual(
    [],
  );
});

test("never runs a git that lies in the working directory", async () => {
  using folder = temporaryFolder();
  const place = placeIn(folder);
  folder.write({ git: `#!/bin/sh\ntouch ${folder.path}/ran\n` }, 0o755);
  const { stdout } = await runGit(place, ["version"], { cwd: folder.path }, signal);
  expect(stdout.toString()).toMatch(/^git version /);
  expect(existsSync(join(folder.path, "ran"))).toBe(false);
});

test("reaches no other repository unless the caller lets it", async () => {
  using folder = temporaryFolder();
  const place = await initialised(folder);
  folder.write({ "theirs/a.txt": "a\n" });
  const theirs = `file://${place.gitDir}`;
  await expect(runGit(place, ["ls-remote", theirs], {}, signal)).rejects.toThrow(/transport 'file' not allowed/);
  await expect(runGit(place, ["ls-remote", "ext::sh -c true"], {}, signal)).rejects.toThrow(/'ext' not allowed/);
  await expect(runGit(place, ["ls-remote", theirs], { allowFileProtocol: true }, signal)).resolves.toBeDefined();
});

test("runs no hook of the git directory that it is given", async () => {
  using folder = temporaryFolder();
  const place = await initialised(folder);
  folder.write({ "own.git/hooks/post-index-change": `#!/bin/sh\ntouch ${folder.path}/ran\n` }, 0o755);
  chmodSync(join(place.gitDir, "hooks", "post-index-change"), 0o755);
  const input = [`100644 ${"1".repeat(40)}\ta.txt\0`];
  await runGit(place, ["update-index", "-z", "--index-info"], { input }, signal);
  expect(existsSync(join(folder.path, "ran"))).toBe(false);
});

/** An input that never comes. */
async function* never(): AsyncGenerator<string> {
  await new Promise<void>((resolve) => setTimeout(resolve, 2_000).unref());
  yield "";
}
