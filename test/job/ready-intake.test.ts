import { expect, test } from "vitest";
import type { Change } from "../../src/job/change.ts";
import { takeReady } from "../../src/job/ready-intake.ts";
import { turnRed } from "../e2e/red-repository.ts";
import { githubScene, never } from "../github/github-scene.ts";

test("the checks that failed while a pull request was a draft make a job when it is ready, and none make none", async () => {
  await using scene = await githubScene();
  const { twin, there, access } = scene;
  const sha = await twin.repositories.commit(there, { branch: "topic", files: { "b.txt": "b\n" } });
  const changes: Change[] = [];
  const apply = async (change: Change) => {
    changes.push(change);
    return { kind: "accepted" } as const;
  };
  const intake = {
    kind: "ready",
    installationId: twin.installations.covering(there)?.id ?? 0,
    repository: { id: there.id, owner: "acme", name: "words", defaultBranch: "main" },
    subject: { kind: "branch", branch: "topic", pullRequest: 3 },
    sha,
    shaSeenAt: "2026-01-01T00:00:00.000Z",
  } as const;
  const services = { access, appId: twin.app.id, apply, proposals: async () => [] };
  await takeReady(intake, services, never);
  expect(changes).toEqual([]);
  await turnRed(twin, there, "topic");
  await takeReady(intake, services, never);
  const { subject } = intake;
  expect(changes).toMatchObject([{ kind: "fix", job: { sha, subject, causes: [{ kind: "check", name: "test" }] } }]);
  expect(twin.journal.problems()).toEqual([]);
});
