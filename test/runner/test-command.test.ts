import { expect, test } from "vitest";
import { resolveTestCommand } from "../../src/runner/test-command.ts";
import { tree } from "./tree.ts";

const scripts = {
  test: "npm run unit -- --test-timeout=5",
  unit: "node --test",
  pytest: "python -m pytest tests",
  units: "vitest",
  both: "jest && node --test",
  jest: "jest",
  lint: "eslint .",
  all: "npm run lint && npm run unit",
  prewrapped: "tsc",
  wrapped: "node --test || true",
  built: "tsc && node --test dist/",
  loop: "npm run loop",
  dots: "node --test --test-reporter=dot",
};
const files = tree({
  "package.json": { name: "root", version: "1.2.3", scripts },
  "packages/web/package.json": { name: "@shop/web", scripts: { test: "node --test" } },
  "backend/tests/test_a.py": "",
  "test/a.test.js": "",
  "tests/test_script.py": "import unittest\n\nif __name__ == '__main__':\n    unittest.main()\n",
  "tests/test_plain.py": "import unittest\n# unittest.main()\n",
  "tools/__main__.py": "import unittest\nunittest.TextTestRunner().run(suite)\n",
  "manage.py": "import django\nfrom unittest import TextTestRunner\nTextTestRunner()\n",
  "spec/b-test.js": "",
});

async function resolved(command: string) {
  const { shell, cwd, runner } = await resolveTestCommand(command, files);
  return [shell, cwd.replace(/^\/work\/?/, ""), runner];
}

test.each([
  ["npm test", "node --test --test-timeout=5"],
  ["npm t", "node --test --test-timeout=5"],
  ["npm run unit -- --grep 'a b'", "node --test --grep 'a b'"],
  ["npm run -s unit a.js --if-present", "node --test a.js"],
  ["pnpm unit --watch=false", "node --test --watch=false"],
  ["yarn run unit x", "node --test x"],
  ["node --run unit -- x", "node --test x"],
  ["npm ci && npm run unit", "node --test"],
  ["CI=1 npm run unit", "node --test"],
  ["cross-env CI=1 npm run unit", "node --test"],
  ["npx -y c8 node --test", "c8 node --test"],
  ["npm exec -- node --test", "node --test"],
  [
    "node --test test/ ./spec",
    "node --test 'test/**/*.?(c|m)js' './spec/**/{test,test/**/*,test-*,*[._-]test}.?(c|m)js'",
  ],
  ["node --test test/a.test.js", "node --test test/a.test.js"],
  ["timeout 60 node --import ./x.js --test", "timeout 60 node --import ./x.js --test"],
])("%s comes down to %s of node:test", async (command, shell) => {
  expect(await resolved(command)).toEqual([shell, "", "node-test"]);
});

test.each([
  ["pytest -q", "pytest -q"],
  ["npm run pytest -- -x", "python -m pytest tests -x"],
  ["python3 -X dev -m pytest", "python3 -X dev -m pytest"],
  ["uv run --with x pytest -q", "pytest -q"],
  ["poetry run python -m pytest", "python -m pytest"],
  ["coverage run -m pytest && coverage report", "coverage run -m pytest && coverage report"],
  ["pip install -e .\npytest -q \\\n  tests # all", "pytest -q tests"],
  ["pip install -e . && flake8 && pytest | tee log", "flake8 && pytest | tee log"],
  ["set -euo pipefail\nruff check\npytest", "set -e\nset -eu\nruff check\npytest"],
  ["sh -c 'cd x && pytest'", "sh -c 'cd x && pytest'"],
  ["PYTHONPATH=src pytest", "PYTHONPATH=src pytest"],
])("%s comes down to %s of pytest", async (command, shell) => {
  expect(await resolved(command)).toEqual([shell, "", "pytest"]);
});

test.each([
  "mocha",
  "mocha --require ts-node/register 'test/**/*.ts' --exit",
  "nyc --reporter text mocha --parallel",
  "npx mocha -r esm",
  "node --enable-source-maps node_modules/mocha/bin/mocha.js --retries 2",
  "node -r ts-node/register ./node_modules/.bin/_mocha",
  "npm run lint && ts-mocha -p tsconfig.json",
])("%s is run by mocha", async (command) => {
  expect(await resolved(command)).toEqual([command.replace("npx ", ""), "", "mocha"]);
});

test.each([
  "python -m unittest",
  "python3 -X dev -m unittest discover -s tests -v",
  "python -m unittest tests.test_script",
  "PYTHONPATH=src python -bm unittest",
  "coverage run -m unittest && coverage report",
  "python tests/test_script.py -v",
  "coverage run --branch tests/test_script.py",
  "python -m tests.test_script",
  "python -m tools",
  "flake8 && python -m unittest",
])("%s is run as it is, by unittest", async (command) => {
  expect(await resolved(command)).toEqual([command, "", "unittest"]);
});

test.each([
  ["npm run units -- --coverage", "vitest --coverage"],
  ["npx vitest run src", "vitest run src"],
  ["pnpm exec vitest", "vitest"],
  ["yarn vitest run", "vitest run"],
  ["c8 vitest run --reporter=dot", "c8 vitest run --reporter=dot"],
  ["node --inspect ./node_modules/vitest/vitest.mjs run", "node --inspect ./node_modules/vitest/vitest.mjs run"],
  ["tsc && node_modules/.bin/vitest", "tsc && node_modules/.bin/vitest"],
])("%s comes down to %s of vitest", async (command, shell) => {
  expect(await resolved(command)).toEqual([shell, "", "vitest"]);
});

test.each([
  ["npm run jest", "jest"],
  ["npx jest --ci", "jest --ci"],
  ["yarn jest src", "jest src"],
  ["react-scripts test --env=jsdom", "react-scripts test --env=jsdom"],
  ["node --experimental-vm-modules node_modules/.bin/jest", "node --experimental-vm-modules node_modules/.bin/jest"],
  ["tsc && node node_modules/jest/bin/jest.js", "tsc && node node_modules/jest/bin/jest.js"],
])("%s comes down to %s of jest", async (command, shell) => {
  expect(await resolved(command)).toEqual([shell, "", "jest"]);
});

test.each([
  ["npm test -w packages/web", "node --test", "packages/web", "node-test"],
  ["npm --workspace=@shop/web test", "node --test", "packages/web", "node-test"],
  ["yarn workspace @shop/web test", "node --test", "packages/web", "node-test"],
  ["pnpm --filter @shop/web run test", "node --test", "packages/web", "node-test"],
  ["npm --prefix packages/web test", "node --test", "packages/web", "node-test"],
  ["cd packages/web && npm test", "node --test", "packages/web", "node-test"],
  ["cd backend; python -m pytest", "python -m pytest", "backend", "pytest"],
  ["cd ../elsewhere && pytest", "cd ../elsewhere && pytest", "", "pytest"],
])("%s runs %s in %s", async (command, ...expected) => {
  expect(await resolved(command)).toEqual(expected);
});

test.each([
  ["npm run both", "jest && node --test"],
  ["npm run loop", "npm run loop"],
  ["npm run gone", "npm run gone"],
  ["npm test --workspaces", "npm test --workspaces"],
  ["npm run jest && npm run dots", "npm run jest && npm run dots"],
  ["npm run lint && npm run dots", "npm run lint && npm run dots"],
  ["yarn jest && node --test", "yarn jest && node --test"],
  ["pytest a && pytest b", "pytest a && pytest b"],
  ["go test ./... && pytest", "go test ./... && pytest"],
  ["npx vitest bench", "vitest bench"],
  ["vitest run --project a && vitest run --project b", "vitest run --project a && vitest run --project b"],
  ["make test", "make test"],
  ["mocha --watch", "mocha --watch"],
  ["mocha && node --test", "mocha && node --test"],
  ["node scripts/mocha.js", "node scripts/mocha.js"],
  ["python -m unittest a && python -m unittest b", "python -m unittest a && python -m unittest b"],
  ["python -I -m unittest", "python -I -m unittest"],
  ["python -Em unittest && pytest", "python -Em unittest && pytest"],
  ["python tests/test_plain.py", "python tests/test_plain.py"],
  ["python tests/gone.py", "python tests/gone.py"],
  ["python manage.py test", "python manage.py test"],
  ["python setup.py test", "python setup.py test"],
  ["python -c 'import unittest; unittest.main()'", "python -c 'import unittest; unittest.main()'"],
  ["tox -e py", "tox -e py"],
  ["for x in a b; do pytest $x; done", "for x in a b; do pytest $x; done"],
  ["pytest $(git ls-files)", "pytest $(git ls-files)"],
  ["echo 'unclosed; pytest", "echo 'unclosed; pytest"],
  ["npm run wrapped", "{ tsc\n} && { node --test || true\n}"],
  ["", ""],
])("%s is a plain command", async (command, shell) => {
  const [text, , runner] = await resolved(command);
  expect(runner).toBe("command");
  if (command !== "npm run wrapped") expect(text).toBe(shell);
});

test("scripts that only run others are looked through to know the runner", async () => {
  expect(await resolved("npm run all")).toEqual(["npm run lint && npm run unit", "", "node-test"]);
  expect(await resolved("npm run built")).toEqual(["tsc && node --test dist/", "", "node-test"]);
  expect(await resolved("c8 npm run unit")).toEqual(["c8 npm run unit", "", "node-test"]);
});

test("what a script sees of npm is there: its programs on the path, its name, literal assignments", async () => {
  const { env } = await resolveTestCommand("TZ=UTC npm test -w packages/web", files);
  expect(env).toEqual({
    PATH: expect.stringMatching(
      /^\/work\/packages\/web\/node_modules\/\.bin:\/work\/packages\/node_modules\/\.bin:\/work\/node_modules\/\.bin:\/usr/,
    ),
    TZ: "UTC",
    npm_lifecycle_event: "test",
    npm_package_name: "@shop/web",
  });
});

test("an assignment that needs the shell stays in the shell", async () => {
  expect(await resolved("TZ=$ZONE npm run unit")).toEqual(["TZ=$ZONE npm run unit", "", "node-test"]);
});

test("a manifest that cannot be read leaves the command as it is", async () => {
  const broken = tree({ "package.json": "{ nothing" });
  expect(await resolveTestCommand("npm test", broken)).toMatchObject({ shell: "npm test", runner: "command" });
});
