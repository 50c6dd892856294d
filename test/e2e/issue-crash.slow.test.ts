import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { calls } from "../model-server/answer.ts";
import { issueWorker } from "../model-server/policies/issue-worker.ts";
import type { Policy } from "../model-server/policy.ts";
import { proposals, pushed } from "./expectations.ts";
import { issueScene, ownComments } from "./issue-scene.ts";
import { leftOvers } from "./left-overs.ts";
import { pythonBug } from "./reported-bugs.ts";
import { startService } from "./run-serve.ts";

const { repair } = pythonBug.plan;

/** What a model does that begins with a frozen test. */
const onlyRepairs: Policy = ({ calls: made }) => {
  const steps = repair.edits.map((edit) => calls("edit_file", { ...edit }));
  return steps[made.length] ?? calls("finish", { root_cause: repair.root_cause, summary: repair.summary });
};

test("a test that was accepted outlives a crash, and nothing is doubled", async () => {
  const service = await startService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  const scene = await issueScene(service.twin, pythonBug);
  const reproduces = issueWorker(pythonBug.plan);
  const struck = Promise.withResolvers<void>();
  let answers = 0;
  service.think((conversation) => {
    if (conversation.task.includes("Step 1 is done already")) {
      answers += 1;
      return onlyRepairs(conversation);
    }
    if (conversation.calls.at(-1)?.observation.startsWith("The test is accepted") !== true)
      return reproduces(conversation);
    void service.kill().then(struck.resolve);
    return { kind: "hang-up", when: "at-once" };
  });
  scene.ask();
  await struck.promise;
  await service.start();
  await scene.said(/Repair proposed/);
  await delay(500);
  expect(answers).toBe(repair.edits.length + 1);
  const [proposal, ...more] = proposals(service.twin, scene.repository);
  expect(more).toEqual([]);
  expect(await pushed(scene.repository)).toEqual([`refs/heads/${proposal?.pull.head.ref}`]);
  expect(proposal?.body).toContain("def test_several_spaces_make_no_word");
  expect(proposal?.body).toContain("in earlier attempts that broke off");
  expect(ownComments(scene.issue)).toHaveLength(1);
  expect(await leftOvers(service.data)).toEqual([]);
  expect(service.twin.journal.problems()).toEqual([]);
});
