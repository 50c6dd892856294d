import { afterAll, beforeAll, expect, test } from "vitest";
import { type Survived, survive } from "./crash-scene.ts";
import { type KillPoint, killPoints } from "./kill-points.ts";
import type { RedRepository } from "./red-repository.ts";
import { type Service, startService } from "./run-serve.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service[Symbol.asyncDispose]());

function at(name: string): KillPoint {
  const found = killPoints.find((point) => point.name === name);
  if (found === undefined) throw new Error(`there is no kill point ${name}`);
  return found;
}

async function expectNothingPushed({ red: { repository } }: Survived): Promise<void> {
  expect(await repository.git.text(["for-each-ref", "refs/heads/autolith/"])).toBe("");
  expect(service.twin.pulls.of(repository)).toHaveLength(1);
}

test("a job whose process dies three times is closed out as broken", async () => {
  const kill = at("at the model's request 2");
  const survived = await survive(service, [kill, kill, kill]);
  expect(survived.check).toMatchObject({ conclusion: "neutral", output: { title: "Autolith is broken" } });
  expect(survived.check.output.summary).toContain("The worker died while it ran.");
  expect(survived.answers).toBe(3);
  expect(survived.asked).toBe(6);
  await expectNothingPushed(survived);
});

test("what earlier attempts spent counts against the budget, answers that were under way included", async () => {
  const kill = at("at the model's request 7");
  const survived = await survive(service, [kill, kill]);
  expect(survived.check).toMatchObject({ conclusion: "neutral", output: { title: "Limit reached" } });
  expect(survived.check.output.summary).toContain("15 of 15 iterations used");
  expect(survived.answers).toBe(13);
  expect(survived.asked).toBe(15);
  await expectNothingPushed(survived);
});

const push = ({ repository, ada }: RedRepository) =>
  service.twin.repositories.commit(repository, { branch: "topic", files: { "notes.txt": "more\n" }, author: ada });

test.each(["at the model's request 3", "after the branch is made", "after the commit is made"])(
  "a push while it was down, killed %s: said, and nothing is left behind",
  async (name) => {
    const survived = await survive(service, [at(name)], push);
    expect(survived.check).toMatchObject({ conclusion: "neutral", output: { title: "Overtaken by a newer commit" } });
    await expectNothingPushed(survived);
  },
);

test("a push while it was down takes nothing back that was proposed before", async () => {
  const survived = await survive(service, [at("after the pull request is opened")], push);
  expect(survived.check).toMatchObject({ conclusion: "success", output: { title: "Repair proposed" } });
  expect(service.twin.pulls.of(survived.red.repository)).toHaveLength(2);
});

test("a second process on the same data directory ends with one line", async () => {
  const second = service.beside("all");
  expect(await second.ended).toBe(2);
  expect(second.log()).toMatch(/^[^\n]*another process uses the data directory[^\n]*\n$/);
});
