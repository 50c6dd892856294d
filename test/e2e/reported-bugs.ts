import type { Edit } from "../model-server/policies/fixer.ts";
import type { IssuePlan } from "../model-server/policies/issue-worker.ts";
import { nodeProject, type ProjectFiles, pythonProject } from "./projects.ts";

/** A project whose tests are green, with a bug that an issue reports, and what a good engineer does about it. */
export interface ReportedBug {
  readonly files: ProjectFiles;
  readonly title: string;
  readonly body: string;
  readonly plan: IssuePlan;
}

export const pythonBug: ReportedBug = {
  files: {
    ...pythonProject.files,
    "tests/test_count.py":
      'from words.count import words\n\n\ndef test_words_in_order():\n    assert words("a b c") == ["a", "b", "c"]\n',
  },
  title: "Empty words are counted",
  body: '`words` finds empty words where there is more than one space:\n\n```python\n>>> words("a  b")\n["a", "", "b"]\n```\n\nI expected `["a", "b"]`.',
  plan: {
    look: { language: "python", code: 'from words.count import words\nwords("a  b")' },
    test: {
      path: "tests/test_empty_words.py",
      old_text: "",
      new_text:
        'from words.count import words\n\n\ndef test_several_spaces_make_no_word():\n    assert words("a  b") == ["a", "b"]\n',
    },
    shows: "Two spaces make an empty word.",
    repair: {
      edits: pythonProject.repair.slice(0, 1),
      root_cause: "Words were split at every single space.",
      summary: "Split at white space of any length.",
    },
  },
};

export const nodeBug: ReportedBug = {
  files: {
    ...nodeProject.files,
    "test/stack.test.js":
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { Stack } from "../src/stack.js";\n\ntest("knows its size", () => {\n  assert.equal(new Stack().push(1).push(2).size, 2);\n});\n',
  },
  title: "pop() gives the oldest item",
  body: "After `push(1)` and `push(2)`, `pop()` gives 1.",
  plan: {
    look: {
      language: "node",
      code: 'const { Stack } = await import("./src/stack.js");\nnew Stack().push(1).push(2).pop()',
    },
    test: {
      path: "test/pop.test.js",
      old_text: "",
      new_text:
        'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { Stack } from "../src/stack.js";\n\ntest("gives the newest item first", () => {\n  assert.equal(new Stack().push(1).push(2).pop(), 2);\n});\n',
    },
    shows: "The oldest item comes first.",
    repair: {
      edits: [
        {
          path: "src/stack.js",
          old_text: "    return this.#items.shift();",
          new_text: "    return this.#items.pop();",
        },
      ],
      root_cause: "Items were taken from the wrong end.",
      summary: "Take items from the end at which they were put.",
    },
  },
};

/** The plan with another test. */
export function withTest({ plan }: ReportedBug, new_text: string, path = plan.test.path): Edit {
  return { path, old_text: "", new_text };
}
