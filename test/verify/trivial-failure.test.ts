import { expect, test } from "vitest";
import { trivialFailure } from "../../src/verify/trivial-failure.ts";

/** The line that holds `here`, 1-based. */
function judge(path: string, text: string): string | null {
  return trivialFailure(path, text, text.split("\n").findIndex((line) => line.includes("here")) + 1);
}

test.each([
  "def test_a():\n    assert False  # here\n",
  'def test_a():\n    assert 1 == 2, "here"\n',
  "def test_a():\n    assert 'x' == 'here'\n",
  "class TestA(TestCase):\n    def test_a(self):\n        self.assertEqual(1, 2)  # here\n",
  "async def test_a():\n    run()\n    raise AssertionError('here')\n",
  "def test_a(\n    tmp_path,\n):\n    run()\n    pytest.fail('here')\n",
])("fails whatever the project does: %j", (text) => {
  expect(judge("tests/test_a.py", text)).not.toBeNull();
});

test.each([
  "def test_a():\n    assert run() == 2  # here\n",
  "def test_a():\n    value = run()\n    assert value  # here\n",
  "def test_a():\n    assert 'x' in [  # here\n        run(),\n    ]\n",
  "def test_a():\n    try:\n        run()\n    except ValueError:\n        pass\n    else:\n        pytest.fail('here')\n",
  "def test_a():\n    for each in run():\n        if each:\n            return\n    raise AssertionError('here')\n",
  "def test_a():\n    if not run():\n        raise AssertionError('here')\n",
])("depends on something: %j", (text) => {
  expect(judge("tests/test_a.py", text)).toBeNull();
});

test.each([
  'test("a", () => {\n  assert.ok(false); // here\n});\n',
  'test("a", () => {\n  assert.equal(1, 2, "here");\n});\n',
  'test("a", async () => {\n  await run();\n  throw new Error("here");\n});\n',
  'test("a", function () {\n  run();\n  assert.fail("here");\n});\n',
  'it("a", () => {\n  expect(true).toBe(false); // here\n});\n',
])("fails whatever the project does: %j", (text) => {
  expect(judge("test/a.test.js", text)).not.toBeNull();
});

test.each([
  'test("a", () => {\n  assert.equal(run(), 2); // here\n});\n',
  'test("a", () => {\n  assert.deepEqual( // here\n    run(),\n    [1],\n  );\n});\n',
  'test("a", () => {\n  try {\n    run();\n    assert.fail("here");\n  } catch (error) {\n    assert.match(error.message, /x/);\n  }\n});\n',
  'test("a", () => {\n  if (!run()) {\n    throw new Error("here");\n  }\n});\n',
  'test("a", () => {\n  if (run()) return;\n  throw new Error("here");\n});\n',
])("depends on something: %j", (text) => {
  expect(judge("test/a.test.js", text)).toBeNull();
});

test("other languages are left to the proof", () => {
  expect(judge("a_test.go", 'func TestA(t *testing.T) {\n  t.Fatal("here")\n}\n')).toBeNull();
});
