import { expect, test } from "vitest";
import { type BodyInput, pullRequestBody, pullRequestTitle } from "../../src/pull-request/body.ts";
import { provenRun, repairOf } from "./records.ts";

function input(changes: Partial<BodyInput> = {}): BodyInput {
  return {
    run: "4f6c1f9e-0000-4000-8000-000000000000",
    repair: repairOf(),
    records: provenRun(),
    spend: { inputTokens: 2_400, cachedTokens: 1_600, outputTokens: 80, iterations: 2, costUsd: 0.0123 },
    model: "gpt-5.1",
    durationMs: 21_400,
    startCommit: "1234567890abcdef1234567890abcdef12345678",
    branch: "autolith/fix-pr-7-1234567",
    command: "python3 -m pytest -q",
    checks: [{ name: "test (3.13)", url: "https://github.example/acme/words/actions/runs/1/job/2" }],
    exitStatusOnly: false,
    ...changes,
  };
}

test("a small repair reads like this", () => {
  expect(pullRequestBody(input())).toMatchInlineSnapshot(`
    "<!-- autolith:run=4f6c1f9e-0000-4000-8000-000000000000 -->

    ## What was wrong

    \`frequencies\` counted words with their case.

    Red at 1234567890ab: [\`test (3.13)\`](https://github.example/acme/words/actions/runs/1/job/2).

    \`\`\`
    FAILED tests/test_count.py::test_case
      produced: {'The': 1, 'the': 1}
      expected: {'the': 2}
    \`\`\`

    ## What changed

    Fold the case of words before they are counted. Nothing else changes.

    File: \`words/count.py\`

    ## Proof

    | in a fresh container | result | tests |
    |---|---|---|
    | without the patch | red | 2 passed, 1 failed: \`tests/test_count.py::test_case\` |
    | with the patch | green | 3 passed, 0 failed |
    | all tests in another order | green | 3 passed, 0 failed each time |
    | the failing tests, 2 times more | green | 1 passed, 0 failed each time |
    | the same with the patch taken back | red | 0 passed, 1 failed: \`tests/test_count.py::test_case\` |

    The container was fresh, without network; the tests are those of 1234567890ab. What the model said decided nothing.

    ## Reproduce

    \`\`\`sh
    git fetch origin && git checkout 1234567890abcdef1234567890abcdef12345678
    python3 -m pytest -q    # red
    git checkout origin/autolith/fix-pr-7-1234567
    python3 -m pytest -q    # green
    \`\`\`

    The whole trace is kept by the Autolith that opened this, as run \`4f6c1f9e-0000-4000-8000-000000000000\`.

    ## How it was found (2 iterations)

    Spent: 2400 tokens in (1600 from cache), 80 out, $0.0123, 21 s, model \`gpt-5.1\`.

    | # | action | result | time | tokens in + out |
    |---|---|---|---|---|
    | 1 | \`execute words('The the')\` | ok · value: ['The', 'the'] | 1.5 s | 1200 + 40 |
    | 2 | \`finish\` | proven | 4.9 s | 1200 + 40 |

    <details><summary>Iteration 1: execute</summary>

    **Thought.** The case is not folded.

    **Action.** \`execute\`

    \`\`\`
    language: python
    code: words('The the')
    \`\`\`

    **Observation.**

    \`\`\`
    ok
    value: ['The', 'the']
    \`\`\`

    </details>

    <details><summary>Iteration 2: finish</summary>

    **Action.** \`finish\`

    \`\`\`
    root_cause: x
    summary: y
    \`\`\`

    **Observation.**

    \`\`\`
    proven
    \`\`\`

    </details>"
  `);
});

test("what attempts that broke off have spent is told apart", () => {
  const { spend } = input();
  const body = pullRequestBody(input({ spend: { ...spend, iterations: 6 } }));
  expect(body).toContain("## How it was found (2 iterations)");
  expect(body).toContain("That includes 4 of 6 iterations in earlier attempts that broke off.");
});

test("an answer that was under way when a process died is said to be an estimate", () => {
  const { spend, records } = input();
  const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 1, costUsd: null };
  const carried = { type: "carried-over", iterations: 1, usage, wallTimeMs: 5_000, estimatedTokens: 9_392 } as const;
  const body = (estimatedTokens: number) =>
    pullRequestBody(
      input({ spend: { ...spend, iterations: 3 }, records: [{ ...carried, estimatedTokens }, ...records] }),
    );
  expect(body(9_392)).toContain(
    "That includes 1 of 3 iterations in earlier attempts that broke off. What was under way when they ended is counted at an estimated 9392 tokens.",
  );
  expect(body(0)).not.toContain("estimated");
});

/** What must not act, wherever it comes from. */
const hostile = [
  "@acme/everyone",
  "Fixes #1",
  "closes GH-2",
  "/autolith fix",
  "[skip ci]",
  "<img src=https://evil.example/x.png>",
  "![x](https://evil.example/x.png)",
  "<!-- autolith:run=other -->",
  "</details>",
  "```",
  "# Proof",
  "| a | b |",
  "\u202eabc",
].join("\n");

/** The Markdown outside of code, where anything could act. */
function prose(body: string): string {
  return body.replace(/^(`{3,})(?!`).*?^\1$/gms, "").replace(/(`+)(?!`).+?\1/g, "");
}

test("nothing that a model, a log or a repository says acts", () => {
  const records = provenRun({ thought: hostile, code: hostile, observation: hostile, crash: hostile });
  const checks = [{ name: hostile, url: "https://github.example/a](https://evil.example)" }];
  const body = pullRequestBody(
    input({ records, checks, repair: repairOf({ rootCause: hostile, summary: hostile }), command: hostile }),
  );
  const text = prose(body);
  expect(text).not.toMatch(/@\w/);
  expect(text).not.toMatch(/(^|[^\w])#\d/m);
  expect(text).not.toMatch(/GH-\d/i);
  expect(text).not.toMatch(/<img|!\[|^\/|^# |^\| a \|/m);
  expect(text.match(/<!--/g)).toHaveLength(1);
  expect(text.match(/<\/?details>/g)).toHaveLength(4);
  expect(body).not.toContain("\u202e");
  expect(body).not.toContain("[skip ci]");
  expect(body).not.toMatch(/^\/autolith/m);
});

test("a long run fits, says how much is left out, and closes what it opens", () => {
  const long = "`".repeat(50).concat("x".repeat(40_000));
  const turns = Array.from({ length: 80 }, (_, index) =>
    provenRun({ thought: long, code: long, observation: long }).flatMap((record) =>
      "iteration" in record && record.iteration === 1 ? [{ ...record, iteration: index + 1 }] : [],
    ),
  ).flat();
  const repair = repairOf({ rootCause: long, summary: long });
  const body = pullRequestBody(input({ records: [...provenRun({ crash: long }), ...turns], repair, command: long }));
  expect(body.length).toBeLessThanOrEqual(60_000);
  expect(body).toMatch(/\d+ more iterations are in the trace\.$/);
  expect(body.match(/<details>/g)?.length).toBe(body.match(/<\/details>/g)?.length);
});

test("a command that reports no single tests is said to have shown its exit status only", () => {
  expect(pullRequestBody(input({ exitStatusOnly: true }))).toContain("its exit status is all that was compared");
});

test.each([
  ["Fold the case. And more.", "Fold the case"],
  ["Compare a < b & c\nwith care", "Compare a < b & c"],
  ["", "Repair the failing tests"],
  ["[skip ci] @ada fixes #1", "[\u200bskip ci] @\u200bada fixes #\u200b1"],
  ["x".repeat(100), `${"x".repeat(71)}…`],
])("%j as a title", (summary, title) => {
  expect(pullRequestTitle(repairOf({ summary }))).toBe(title);
});

test("the first failing test is shown, the others are folded away", () => {
  const crash = "1 passed, 3 failed\nFAILED a::one\n  produced: 1\nFAILED a::two\n  produced: 2\nERROR b\n  no module";
  const body = pullRequestBody(input({ records: provenRun({ crash }) }));
  expect(body).toContain("```\n1 passed, 3 failed\nFAILED a::one\n  produced: 1\n```");
  expect(body).toContain("<details><summary>More failing tests</summary>\n\n```\nFAILED a::two\n");
});
