/** Small projects for whole runs of `autolith fix`: path to content. */
export type ProjectFiles = Readonly<Record<string, string>>;

export interface Edit {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
}

/** A project with one bug, the edits that repair it, and what identifies its failing tests. */
export interface Project {
  readonly files: ProjectFiles;
  readonly command: string;
  readonly repair: readonly Edit[];
  /** An edit of a test that would make it green. */
  readonly testEdit: Edit;
  /** The file with the failing tests. */
  readonly testFile: string;
}

/** Words are counted with their case, and a text of white space has one word. */
export const pythonProject: Project = {
  files: {
    "pyproject.toml":
      '[project]\nname = "words"\nversion = "1.0"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    "words/__init__.py": "",
    "words/count.py":
      '"""Counts words."""\n\n\ndef words(text):\n    """Words of a text, in order."""\n    return text.split(" ")\n\n\ndef frequencies(text):\n    """How often each word stands in a text, whatever its case."""\n    counts = {}\n    for word in words(text):\n        counts[word] = counts.get(word, 0) + 1\n    return counts\n',
    "tests/test_count.py":
      'from words.count import frequencies, words\n\n\ndef test_words_in_order():\n    assert words("a b c") == ["a", "b", "c"]\n\n\ndef test_white_space_only():\n    assert words("  \\n ") == []\n\n\ndef test_case_does_not_matter():\n    assert frequencies("The cat the") == {"the": 2, "cat": 1}\n',
  },
  command: "python3 -m pytest -q",
  repair: [
    { path: "words/count.py", old_text: '    return text.split(" ")', new_text: "    return text.split()" },
    {
      path: "words/count.py",
      old_text: "    for word in words(text):",
      new_text: "    for word in words(text.lower()):",
    },
  ],
  testEdit: {
    path: "tests/test_count.py",
    old_text: '    assert words("  \\n ") == []',
    new_text: '    assert words("") == [""]',
  },
  testFile: "tests/test_count.py",
};

/** A stack that pops from the wrong end and does not notice that it is empty. */
export const nodeProject: Project = {
  files: {
    "package.json": '{ "name": "stack", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/stack.js":
      "export class Stack {\n  #items = [];\n\n  push(item) {\n    this.#items.push(item);\n    return this;\n  }\n\n  pop() {\n    return this.#items.shift();\n  }\n\n  get size() {\n    return this.#items.length;\n  }\n}\n",
    "test/stack.test.js":
      'import assert from "node:assert/strict";\nimport { describe, test } from "node:test";\nimport { Stack } from "../src/stack.js";\n\ndescribe("Stack", () => {\n  test("knows its size", () => {\n    assert.equal(new Stack().push(1).push(2).size, 2);\n  });\n\n  test("gives the last item first", () => {\n    assert.equal(new Stack().push(1).push(2).pop(), 2);\n  });\n\n  test("says that it is empty", () => {\n    assert.throws(() => new Stack().pop(), /empty/);\n  });\n});\n',
  },
  command: "npm test",
  repair: [
    {
      path: "src/stack.js",
      old_text: "    return this.#items.shift();",
      new_text:
        '    if (this.#items.length === 0) throw new RangeError("the stack is empty");\n    return this.#items.pop();',
    },
  ],
  testEdit: { path: "test/stack.test.js", old_text: "/empty/", new_text: "/./" },
  testFile: "test/stack.test.js",
};

/** The same projects with nothing wrong. */
export const greenPython: ProjectFiles = repaired(pythonProject);
export const greenNode: ProjectFiles = repaired(nodeProject);

/** Tests that are each red in every second run or so: with so many, two runs alike come once in thousands of years. */
export const flakyPython: ProjectFiles = {
  "test_flaky.py":
    'import secrets\n\nimport pytest\n\n\n@pytest.mark.parametrize("coin", range(16))\ndef test_coin(coin):\n    assert secrets.randbelow(2) == 0\n',
};
export const flakyNode: ProjectFiles = {
  "package.json": '{ "name": "flaky", "type": "module", "scripts": { "test": "node --test" } }\n',
  "flaky.test.js":
    'import assert from "node:assert/strict";\nimport { randomInt } from "node:crypto";\nimport { test } from "node:test";\n\nfor (let coin = 0; coin < 16; coin += 1) {\n  test("coin " + coin, () => {\n    assert.equal(randomInt(2), 0);\n  });\n}\n',
};

/** A test that never ends, beside one that passes. */
export const hangingPython: Project = {
  ...pythonProject,
  files: {
    "loop.py": "def countdown(n):\n    while n != 0:\n        n = n - 2\n    return n\n",
    "test_loop.py":
      "from loop import countdown\n\n\ndef test_even():\n    assert countdown(4) == 0\n\n\ndef test_odd():\n    assert countdown(3) <= 0\n",
  },
  command: "python3 -m pytest -q",
  repair: [{ path: "loop.py", old_text: "    while n != 0:", new_text: "    while n > 0:" }],
  testFile: "test_loop.py",
};
export const hangingNode: Project = {
  ...nodeProject,
  files: {
    "package.json": '{ "name": "loop", "type": "module", "scripts": { "test": "node --test" } }\n',
    "loop.js": "export function countdown(n) {\n  while (n !== 0) n -= 2;\n  return n;\n}\n",
    "loop.test.js":
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { countdown } from "./loop.js";\n\ntest("even", () => {\n  assert.equal(countdown(4), 0);\n});\n\ntest("odd", () => {\n  assert.ok(countdown(3) <= 0);\n});\n',
  },
  repair: [{ path: "loop.js", old_text: "while (n !== 0) n -= 2;", new_text: "while (n > 0) n -= 2;" }],
  testFile: "loop.test.js",
};

/** The bug, and beside it in another file a test that is red for a reason of its own. */
export const partlyRedPython: ProjectFiles = {
  ...pythonProject.files,
  "tests/test_other.py": "def test_unfinished_business():\n    assert 1 + 1 == 3\n",
};
export const partlyRedNode: ProjectFiles = {
  ...nodeProject.files,
  "test/other.test.js":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\n\ntest("unfinished business", () => {\n  assert.equal(1 + 1, 3);\n});\n',
};

function repaired(project: Project): ProjectFiles {
  const files = { ...project.files };
  for (const { path, old_text, new_text } of project.repair)
    files[path] = (files[path] ?? "").replace(old_text, new_text);
  return files;
}
