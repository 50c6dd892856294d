import { expect, test } from "vitest";
import { testFilesOf } from "../../src/job/test-files.ts";
import { pytestRun } from "../builders/test-run.ts";

const target = { command: { shell: "pytest", cwd: "/work", env: {}, runner: "pytest" as const }, ids: null };

test("a source with doctests alone is told from a file of tests", () => {
  const run = pytestRun({
    "tests/test_a.py::test_b": "failed",
    "src/shop/size.py::shop.size.natural": "passed",
    "src/shop/__init__.py::shop": "passed",
    "src/mixed.py::mixed.f": "passed",
    "src/mixed.py::test_f": "passed",
    "src/shop/cart.py::TestCart::test_total": "passed",
    "README.rst::README.rst": "passed",
    "tests/test_c.py::test_d[1.5]": "passed",
  });
  expect(testFilesOf(run, target)).toEqual({
    testFiles: ["tests/test_a.py", "src/mixed.py", "src/shop/cart.py", "README.rst", "tests/test_c.py"],
    doctestFiles: ["src/shop/size.py", "src/shop/__init__.py"],
  });
});
