import { expect, test } from "vitest";
import { resolveTestCommand } from "../../src/runner/test-command.ts";
import { tree } from "./tree.ts";

const makefile = `.PHONY: test install all
VERSION := 1.0

install: # what the tests need
\tpip install -e .

test: install
\t@pytest -q \\
\t  tests

web:
\tcd packages/web && npm test

all: lint test

lint:
\truff check

two:
\tcd packages/web
\tpytest

either:
\truff check || true
\tpytest

careless:
\t-pytest

variable:
\tpytest $(ARGS)

needs-file: setup.py
\tpytest

loop: loop
\tpytest
`;
const files = {
  Makefile: makefile,
  "packages/web/package.json": { name: "web", scripts: { test: "node --test" } },
};

async function resolved(command: string, text = makefile) {
  const { shell, cwd, runner } = await resolveTestCommand(command, tree({ ...files, Makefile: text }));
  return [shell, cwd.replace(/^\/work\/?/, ""), runner];
}

test.each([
  ["make test", "pytest -q    tests", "", "pytest"],
  ["make web", "node --test", "packages/web", "node-test"],
  ["make all", "ruff check && pytest -q    tests", "", "pytest"],
  ["make lint", "ruff check", "", "command"],
])("%s comes down to what it runs", async (command, shell, folder, runner) => {
  const [text = "", ...rest] = await resolved(command);
  expect([text.replaceAll(/\s+/g, " "), ...rest]).toEqual([shell.replaceAll(/\s+/g, " "), folder, runner]);
});

test.each([
  "make",
  "make two",
  "make either",
  "make careless",
  "make variable",
  "make needs-file",
  "make loop",
  "make gone",
  "make -j2 test",
  "make test ARGS=-x",
  "make install test",
])("%s is left to make", async (command) => {
  expect(await resolved(command)).toEqual([command, "", "command"]);
});

test.each(["include other.mk\n", "ifdef CI\nendif\n", "SHELL := bash\n", "test:\n\tpytest\n"])(
  "a makefile with %j is left to make",
  async (more) => {
    expect(await resolved("make test", `${makefile}\n${more}`)).toEqual(["make test", "", "command"]);
  },
);
