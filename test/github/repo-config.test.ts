import { expect, test } from "vitest";
import { fetchRepoConfig } from "../../src/github/repo-config.ts";
import { type GitHubScene, githubScene, never } from "./github-scene.ts";

const path = ".github/autolith.yml";

async function configOf(scene: GitHubScene) {
  return fetchRepoConfig(await scene.client("evidence"), scene.repository, never);
}

test("the configuration is that of the default branch, whatever a pull request says", async () => {
  await using scene = await githubScene({ [path]: "test: pytest -q\n" });
  await scene.twin.repositories.commit(scene.there, { branch: "topic", files: { [path]: "test: exit 0\n" } });
  expect(await configOf(scene)).toEqual({ config: { test: "pytest -q" }, problem: null });
});

test("without a file the defaults hold", async () => {
  await using scene = await githubScene();
  expect(await configOf(scene)).toEqual({ config: {}, problem: null });
});

test.each([
  ["test: pytest\nfoo: 1\n", /^\.github\/autolith\.yml:2: .*foo/],
  ["test: [\n", /^\.github\/autolith\.yml:\d+: /],
])("of %j the problem is told, and the defaults hold", async (text, problem) => {
  await using scene = await githubScene({ [path]: text });
  expect(await configOf(scene)).toEqual({ config: {}, problem: expect.stringMatching(problem) });
});

test("a server that does not answer is no configuration of its own", async () => {
  await using scene = await githubScene();
  const github = await scene.client("evidence");
  scene.twin.fault({ path: /\/contents\//, status: 403 });
  await expect(fetchRepoConfig(github, scene.repository, never)).rejects.toMatchObject({ status: 403 });
});
