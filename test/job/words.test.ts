import { expect, test } from "vitest";
import { declinedText, helpText, unknownText } from "../../src/job/command-words.ts";
import { jobOutcomes } from "../../src/job/ending.ts";
import { progressText } from "../../src/job/progress-words.ts";
import { commentText, endedText, findingLines, runFacts, withNote } from "../../src/job/words.ts";

const onPullRequest = "pull-request";

test("each outcome has a title, its reason and a next step", () => {
  const texts = jobOutcomes.map((outcome) => {
    const { title, summary } = endedText({ outcome, reason: "what was seen" }, onPullRequest);
    return `${outcome}: ${title}\n${summary.replace("\n\n", "\n")}`;
  });
  expect(texts.join("\n\n")).toMatchInlineSnapshot(`
    "opened: Repair proposed
    What was seen.
    Next: review it; the proof and every step are in its description.

    suggested: Repair suggested
    What was seen.
    Next: review the patch below; nothing was pushed.

    reviewed: Reviewed
    What was seen.
    Next: nothing; it was a review.

    clean: Nothing to object to
    What was seen.
    Next: nothing; it was a review.

    not-reproduced: Not reproduced
    What was seen.
    Next: run the check again. If it stays red there, name CI's command by \`test:\` in \`.github/autolith.yml\`, then comment \`/autolith fix\`.

    flaky: Flaky
    What was seen.
    Next: when it is reliable, comment \`/autolith fix\` if the check is still red.

    red-on-base: Red on the base branch too
    What was seen.
    Next: repair the base branch, then bring this branch up to date with it.

    environment: Cannot run here
    What was seen.
    Next: make the tests runnable without it, or name some that are by \`test:\` in \`.github/autolith.yml\`, then comment \`/autolith fix\`.

    exhausted: Limit reached
    What was seen.
    Next: to have it tried again, comment \`/autolith fix\`, with a hint behind it if you have one.

    stuck: No repair found
    What was seen.
    Next: to have it tried again, comment \`/autolith fix\`, with a hint behind it if you have one.

    gave-up: No repair found
    What was seen.
    Next: to have it tried again, comment \`/autolith fix\`, with a hint behind it if you have one.

    rejected: No repair held
    What was seen.
    Next: to have it tried again, comment \`/autolith fix\`, with a hint behind it if you have one.

    stale: Overtaken by a newer commit
    What was seen.
    Next: the newer commit gets a run of its own when its checks fail; to ask for one now, comment \`/autolith fix\`.

    cancelled: Cancelled
    What was seen.
    Next: to start again, comment \`/autolith fix\`.

    infrastructure: Autolith is broken
    What was seen.
    Next: whoever runs this Autolith finds the cause in its log; to try again, comment \`/autolith fix\`."
  `);
});

test("where there is no comment to write, the check's own button is named", () => {
  const { summary } = endedText({ outcome: "stuck", reason: "it went in circles" }, "branch");
  expect(summary).toBe("It went in circles.\n\nNext: to have it tried again, press *Re-run* on this check.");
});

test("a reason is one line, and does nothing", () => {
  const reason = "the model gave up: @ada\n/autolith fix <img> closes #1 ".padEnd(2_000, "x");
  const [line = ""] = endedText({ outcome: "gave-up", reason }, onPullRequest).summary.split("\n\n");
  expect(line).not.toMatch(/\n|@a|<img|#1/);
  expect(line.length).toBeLessThan(650);
});

test("findings, a note on the configuration and the first word in a repository follow", () => {
  const finding = { rule: "edits-test", file: "tests/a.py", line: 3, message: "tests are the specification" };
  const more = findingLines([finding]);
  const end = withNote(
    { outcome: "rejected", reason: "refused", ...(more && { more }) },
    "autolith.yml:2: unknown key",
  );
  expect(commentText(endedText(end, onPullRequest), true)).toMatchInlineSnapshot(`
    "**Autolith: No repair held**

    Refused.

    Next: to have it tried again, comment \`/autolith fix\`, with a hint behind it if you have one.

    What the proof found:

    - \`tests/a.py:3\` \`edits-test\` tests are the specification

    Note: autolith.yml:2: unknown key

    <sub>This is Autolith's first word in this repository. It tries to repair failing checks of pull requests and of the default branch, and what an issue reports when somebody asks, and shows what it does. To switch it off, take the repository out of the App's installation. \`/autolith help\` lists what it understands.</sub>"
  `);
  expect(findingLines([])).toBeUndefined();
});

test("commands are answered so", () => {
  expect(helpText).toMatchInlineSnapshot(`
    "**Autolith** repairs failing checks: it reproduces the failure in a sandbox, looks for the cause, proves a repair and proposes it as a pull request.

    - \`/autolith fix\` on a pull request repairs its head now; on an issue it looks for a test that shows what is reported, and then for a repair; what you write behind it is a hint
    - \`/autolith review\` runs its tests on its base and on its head, and says what differs
    - \`/autolith stop\` ends what it is doing here
    - \`/autolith help\` shows this

    Commands count on the first line of a new comment, from people who may write to the repository."
  `);
  expect(unknownText("fxi", "fix")).toMatchInlineSnapshot(
    `"\`fxi\` is no command of Autolith. Did you mean \`/autolith fix\`? \`/autolith help\` lists what it understands."`,
  );
  expect(unknownText("`@x`", null)).toMatchInlineSnapshot(
    `"\`\` \`@x\` \`\` is no command of Autolith. \`/autolith help\` lists what it understands."`,
  );
  expect(unknownText("", null)).toMatchInlineSnapshot(
    `"A word is missing behind \`/autolith\`. \`/autolith help\` lists what it understands."`,
  );
  expect(declinedText("pushed-since")).toMatchInlineSnapshot(
    `"The branch was pushed to after your comment, or at the very same moment. Look at its head, then comment \`/autolith fix\` again."`,
  );
  expect(declinedText("known")).toBeNull();
});

test("a turn is shown by the tools that it called", () => {
  const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 1 };
  const turn = { type: "turn", iteration: 3, text: "", usage, usageEstimated: false, durationMs: 1 } as const;
  expect(progressText({ ...turn, toolCalls: [{ id: "a", name: "edit_file", arguments: "{}" }] })).toEqual({
    title: "Iteration 3",
    summary: "Iteration 3: `edit_file`.",
  });
  expect(progressText({ type: "nudge", iteration: 1, text: "x" })).toBeNull();
});

test("what was spent so far is shown with each turn, and in the end where nothing is proposed", () => {
  const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 1 };
  const total = { inputTokens: 5_200, cachedTokens: 3_000, outputTokens: 210, costUsd: 0.0123 };
  const turn = { type: "turn", iteration: 3, text: "", usage, usageEstimated: false, durationMs: 1 } as const;
  expect(progressText({ ...turn, toolCalls: [], total })?.summary).toBe(
    "Iteration 3: no tool call.\n\nSpent: 5200 tokens in (3000 from cache), 210 out, $0.0123.",
  );
  expect(runFacts([], { ...total, costUsd: null, iterations: 3 })).toBe(
    "Spent: 5200 tokens in (3000 from cache), 210 out, price unknown.",
  );
  expect(runFacts([], { ...total, iterations: 0 })).toBeUndefined();
});
