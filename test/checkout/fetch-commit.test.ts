import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyPatch } from "../../src/checkout/apply-patch.ts";
import { fetchCommit } from "../../src/checkout/fetch-commit.ts";
import { openObjectStore } from "../../src/checkout/object-store.ts";
import { githubScene, never } from "../github/github-scene.ts";

const files = { "a.txt": "a\r\n", ".gitattributes": "* text eol=lf ident\n" };

test("a commit arrives by its id, byte for byte, and its token stays in the memory of git", async () => {
  await using scene = await githubScene(files);
  const { repository, twin, there } = scene;
  const sha = (await twin.repositories.branches.resolve(there, "refs/heads/main")) ?? "";
  await twin.repositories.commit(there, { branch: "main", files: { "b.txt": "b\n" } });
  await using store = await openObjectStore(never);
  const token = await scene.checkoutToken();
  const checkout = await fetchCommit({ url: repository.cloneUrl, sha, token }, store, never);
  expect(checkout.paths).toEqual([".gitattributes", "a.txt"]);
  expect(Buffer.from((await checkout.read("a.txt")) ?? []).toString()).toBe("a\r\n");
  expect(await readFile(join(store.place.gitDir, "config"), "utf8")).not.toMatch(/token|Authorization|remote/i);
  expect(twin.journal.problems()).toEqual([]);
});

test("a fetch that is refused says so without its token", async () => {
  await using scene = await githubScene(files);
  const sha = (await scene.twin.repositories.branches.resolve(scene.there, "refs/heads/main")) ?? "";
  await using store = await openObjectStore(never);
  const token = "ghs_0123456789abcdefghijklmnopqrstuvwxyz";
  const fetched = fetchCommit({ url: scene.repository.cloneUrl, sha, token }, store, never);
  const error = await fetched.catch((reason: Error) => reason);
  expect(error).toMatchObject({ name: "AutolithError", code: "infrastructure" });
  expect(String(error)).not.toMatch(/ghs_|Basic|eC1hY2Nlc3/);
});

test("a redirect to another place is not followed with the token", async () => {
  await using scene = await githubScene(files);
  scene.twin.fault({
    path: /info\/refs$/,
    status: 302,
    headers: { location: `${scene.twin.storageUrl}/acme/words.git/info/refs?service=git-upload-pack` },
  });
  await using store = await openObjectStore(never);
  const options = { url: scene.repository.cloneUrl, sha: "0".repeat(40), token: await scene.checkoutToken() };
  await expect(fetchCommit(options, store, never)).rejects.toMatchObject({ code: "infrastructure" });
});

test("a submodule is no file of the checkout, and stays in the tree that a patch makes", async () => {
  await using scene = await githubScene(files);
  const { git } = scene.there;
  const { repository } = scene;
  const before = await git.text(["ls-tree", "refs/heads/main"]);
  const tree = await git.text(["mktree"], { input: `${before}\n160000 commit ${"1".repeat(40)}\tvendor\n` });
  const sha = await git.text(["-c", "user.name=a", "-c", "user.email=a@b.c", "commit-tree", "-m", "x", tree]);
  await using store = await openObjectStore(never);
  const token = await scene.checkoutToken();
  const checkout = await fetchCommit({ url: repository.cloneUrl, sha, token }, store, never);
  expect(checkout.paths).toEqual([".gitattributes", "a.txt"]);
  const patch = [{ kind: "write", path: "b.txt", executable: false, bytes: Buffer.from("b\n") }] as const;
  const patched = await applyPatch(store, checkout.tree, patch, never);
  expect((await store.readTree(patched, never)).map(({ path }) => path)).toEqual([".gitattributes", "a.txt", "b.txt"]);
  expect(patched).not.toBe(checkout.tree);
});
