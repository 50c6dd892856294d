import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { at, clientFor, tokenFor } from "./client.ts";
import { startTwin, type Twin } from "./twin.ts";
import { fullName, type Repository } from "./world/repository.ts";

/** A folder with git in it, and a token in git's environment, as Autolith's checkout has it. */
async function checkout(twin: Twin, repository: Repository, token?: string) {
  const folder = await mkdtemp(join(tmpdir(), "twin-clone-"));
  const header = `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
  const auth = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "http.extraheader", GIT_CONFIG_VALUE_0: header };
  const env = {
    ...process.env,
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...(token === undefined ? {} : auth),
  };
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)("git", args, { cwd: folder, env })).stdout.trim();
  await git("init", "--quiet");
  const url = `${twin.url}/${fullName(repository)}.git`;
  return { folder, git, url, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test("a token with contents:read fetches a commit by its SHA, with modes and bytes as committed", async () => {
  await using twin = await startTwin();
  const bytes = Buffer.from([0, 255, 13, 10, 128]);
  const repository = await twin.repositories.add({
    owner: "acme",
    name: "shop",
    files: { "run.sh": { content: "#!/bin/sh\n", mode: "100755" }, "data.bin": bytes, "src/a.txt": "a\n" },
  });
  const old = await twin.repositories.branches.resolve(repository, "main");
  await twin.repositories.commit(repository, { branch: "main", files: { "src/a.txt": "b\n" } });
  await using clone = await checkout(twin, repository, await tokenFor(twin, repository, { contents: "read" }));
  await clone.git("fetch", "--quiet", "--depth=1", "--no-tags", clone.url, String(old));
  await clone.git("checkout", "--quiet", "FETCH_HEAD");
  expect(await clone.git("rev-parse", "HEAD")).toBe(old);
  expect(await readFile(join(clone.folder, "data.bin"))).toEqual(bytes);
  expect((await stat(join(clone.folder, "run.sh"))).mode & 0o111).not.toBe(0);
  expect(await readFile(join(clone.folder, "src/a.txt"), "utf8")).toBe("a\n");
  const fetched = twin.requests.filter((request) => request.path.includes("git-upload-pack"));
  expect(fetched.at(-1)?.permissions).toEqual({ metadata: "read", contents: "read" });
  expect(twin.journal.problems()).toEqual([]);
});

test("a commit made through the API is the commit that git fetches", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop", files: { "a.txt": "1\n" } });
  const octokit = await clientFor(twin, repository);
  const head = await twin.repositories.branches.resolve(repository, "main");
  const { data: blob } = await octokit.rest.git.createBlob({
    ...at(repository),
    content: "IyEvYmluL3NoCg==",
    encoding: "base64",
  });
  const { data: tree } = await octokit.rest.git.createTree({
    ...at(repository),
    base_tree: String(head),
    tree: [{ path: "run.sh", mode: "100755", type: "blob", sha: blob.sha }],
  });
  const { data: commit } = await octokit.rest.git.createCommit({
    ...at(repository),
    message: "Add a script",
    tree: tree.sha,
    parents: [String(head)],
  });
  await octokit.rest.git.createRef({ ...at(repository), ref: "refs/heads/autolith/fix-1", sha: commit.sha });
  await using clone = await checkout(twin, repository, await tokenFor(twin, repository, { contents: "read" }));
  await clone.git("fetch", "--quiet", clone.url, "autolith/fix-1");
  expect(await clone.git("rev-parse", "FETCH_HEAD")).toBe(commit.sha);
  expect(await clone.git("ls-tree", "--name-only", "FETCH_HEAD")).toBe("a.txt\nrun.sh");
  expect(await clone.git("ls-tree", "FETCH_HEAD", "run.sh")).toMatch(/^100755 blob/);
});

test("the head of a fork's pull request is reached in the base repository by ref and by SHA", async () => {
  await using twin = await startTwin();
  const base = await twin.repositories.add({ owner: "acme", name: "shop" });
  const fork = await twin.repositories.fork(base, "guest");
  const sha = await twin.repositories.commit(fork, { branch: "idea", files: { "idea.txt": "!\n" } });
  const guest = twin.accounts.ensure("guest");
  const pull = await twin.pulls.open(base, { head: "idea", from: fork, author: guest });
  await using clone = await checkout(twin, base, await tokenFor(twin, base));
  await clone.git("fetch", "--quiet", "--depth=1", clone.url, `refs/pull/${pull.number}/head`);
  expect(await clone.git("rev-parse", "FETCH_HEAD")).toBe(sha);
  await clone.git("fetch", "--quiet", "--depth=1", clone.url, sha);
  expect(await clone.git("rev-parse", "FETCH_HEAD")).toBe(sha);
});

test("git is refused without a token, with a wrong one, in another repository, and without the permission", async () => {
  await using twin = await startTwin();
  const shop = await twin.repositories.add({ owner: "acme", name: "shop" });
  const bank = await twin.repositories.add({ owner: "acme", name: "bank" });
  const list = async (repository: Repository, token?: string): Promise<string> => {
    await using clone = await checkout(twin, repository, token);
    return await clone.git("ls-remote", clone.url).catch((error: Error) => error.message);
  };
  expect(await list(shop)).toMatch(/could not read Username|Authentication failed/);
  expect(await list(shop, "ghs_wrong")).toMatch(/could not read Username|Authentication failed/);
  const token = await tokenFor(twin, shop, { checks: "read" });
  expect(await list(shop, token)).toMatch(/403/);
  expect(await list(bank, await tokenFor(twin, shop))).toMatch(/not found/);
  expect(await list(shop, await tokenFor(twin, shop))).toContain("refs/heads/main");
  const open = await twin.repositories.add({ owner: "acme", name: "open", private: false });
  expect(await list(open)).toContain("refs/heads/main");
});

test("a push is refused and told", async () => {
  await using twin = await startTwin();
  const repository = await twin.repositories.add({ owner: "acme", name: "shop" });
  await using clone = await checkout(twin, repository, await tokenFor(twin, repository));
  await clone.git(
    "-c",
    "user.name=x",
    "-c",
    "user.email=x@example.org",
    "commit",
    "--quiet",
    "--allow-empty",
    "-m",
    "x",
  );
  await expect(clone.git("push", clone.url, "HEAD:refs/heads/x")).rejects.toThrow(/403/);
  expect(twin.surprises).toEqual(["a git push to acme/shop"]);
});
