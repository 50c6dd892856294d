import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../checkout/temporary-folder.ts";

const script = readFileSync(resolve(import.meta.dirname, "../../src/review/python_call_sites.py"), "utf8");

/** Runs the script as the sandbox does. */
function uses(distribution: string, files: Readonly<Record<string, string>>): unknown {
  using folder = temporaryFolder();
  folder.write({ ...files });
  const [input, report] = [join(folder.path, "input.json"), join(folder.path, "report.json")];
  writeFileSync(input, JSON.stringify({ distribution, files: Object.keys(files) }));
  const env = { ...process.env, AUTOLITH_INPUT: input, AUTOLITH_REPORT: report, PYTHONSAFEPATH: "1" };
  execFileSync("python3", ["-c", script], { cwd: folder.path, env });
  return JSON.parse(readFileSync(report, "utf8"));
}

test("calls of what a file imports are found, by syntax tree", () => {
  const found = uses("left-padder", {
    "a.py": 'import left_padder as lp\nfrom left_padder.sub import fill\n\nprint(lp.pad("x",\n  4))\nfill(1)\n',
    "b.py": "from left_padder import pad\n",
    "c.py": '# left_padder.pad(1)\nimport left_padder_extra\nleft_padder_extra.pad(1)\ns = "left_padder.pad(1)"\n',
    "d.py": "import left_padder\nleft_padder.pad(",
    "e.py": "from .left_padder import pad\npad(1)\n",
  });
  expect(found).toEqual({
    "a.py": [
      [4, 'lp.pad("x", 4)', true],
      [6, "fill(1)", true],
    ],
    "b.py": [[1, "from left_padder import pad", false]],
  });
});

test("a file is parsed and never run", () => {
  expect(uses("left-padder", { "evil.py": 'import left_padder\nopen("/dev/null/x")\nraise SystemExit(3)\n' })).toEqual({
    "evil.py": [[1, "import left_padder", false]],
  });
});
