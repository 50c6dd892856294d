import { expect, test } from "vitest";
import { stepCommand } from "../../src/evidence/step-command.ts";

test.each([
  ["pytest -q", "pytest -q"],
  ["# tests\n  pytest -q\n", "pytest -q"],
  ["pip install -e .\npytest -q", "pytest -q"],
  ["python -m pip install -r requirements.txt\nnpm ci && npm install -g x\nnpm test", "npm test"],
  ["sudo apt-get update\nuv sync\nuv run pytest", "uv run pytest"],
  ["npm i\nnpm run import", "npm run import"],
  ["cd api\npytest -q", "cd api && pytest -q"],
  ["true || false\npytest", "{ true || false; } && pytest"],
  ["npm install && npm test", "npm install && npm test"],
  ["npm ci", null],
  ["", null],
])("%j comes down to %j", (script, command) => {
  expect(stepCommand(script)).toBe(command);
});

test.each([
  "if true; then\n  pytest\nfi",
  "for x in a b; do\n  pytest $x\ndone",
  "pytest \\\n  -q",
  "cat <<EOF\npytest\nEOF",
  "f() {\n  pytest\n}\nf",
])("%j is kept as it is, and ends at the first failure", (script) => {
  expect(stepCommand(script)).toBe(`set -e\n${script}`);
});
