import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const source = join(root, "src");

/** What each room may import from, besides itself and packages. Rooms stand in the order of the pipeline, lower ones first. */
const allowed: Record<string, readonly string[]> = {
  errors: [],
  redact: [],
  "hidden-characters": [],
  version: [],
  config: ["errors"],
  trace: ["errors", "redact"],
  sandbox: ["errors", "redact"],
  checkout: ["errors", "redact", "sandbox"],
  runner: ["errors", "redact", "sandbox"],
  dependencies: ["errors", "config", "trace", "sandbox", "checkout", "runner"],
  model: ["errors", "redact"],
  verify: ["errors", "redact", "trace", "sandbox", "checkout", "runner"],
  loop: ["errors", "redact", "hidden-characters", "trace", "sandbox", "checkout", "runner", "model", "verify"],
  store: ["errors"],
  github: ["errors", "config"],
  evidence: ["errors", "github"],
  "pull-request": ["errors", "hidden-characters", "trace", "checkout", "model", "verify", "github"],
  review: [
    ...["errors", "redact", "hidden-characters", "config", "trace", "sandbox", "checkout", "runner", "model", "verify"],
    ...["loop", "github", "pull-request"],
  ],
  job: [
    ...["errors", "redact", "version", "config", "trace", "sandbox", "checkout", "runner", "model", "verify", "loop"],
    ...["dependencies", "store", "log", "github", "evidence", "pull-request", "review"],
  ],
  webhook: ["errors", "config", "job"],
  log: ["errors", "redact"],
  server: ["errors", "log"],
  app: ["webhook"],
  serve: ["errors", "config", "store", "job", "log", "server", "app"],
  cli: [
    ...["errors", "redact", "version", "config", "trace", "sandbox", "checkout", "runner", "model", "verify", "loop"],
    ...["dependencies", "github", "job", "log", "serve"],
  ],
};

/** Packages and globals that only one room may use. */
const kept: readonly { readonly pattern: RegExp; readonly room: string }[] = [
  { pattern: /from "dockerode"/, room: "sandbox" },
  { pattern: /from "openai/, room: "model" },
  { pattern: /from "node:child_process"/, room: "checkout" },
  { pattern: /process\.env\b/, room: "config" },
];

test("every import goes from a later stage to an earlier one", () => {
  const wrong = sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter((target) => roomOf(target) !== roomOf(file) && !allowed[roomOf(file)]?.includes(roomOf(target)))
      .map((target) => `${relative(source, file)} -> ${relative(source, target)}`),
  );
  expect(wrong).toEqual([]);
});

test("every room is listed", () => {
  expect([...new Set(sourceFiles().map(roomOf))].filter((room) => allowed[room] === undefined)).toEqual([]);
});

test("source never imports from test, bench or sandbox", () => {
  const outside = sourceFiles().flatMap((file) =>
    importsOf(file).filter((target) => relative(source, target).startsWith("..")),
  );
  expect(outside).toEqual([]);
});

test.each(kept)("$pattern is used in $room only", ({ pattern, room }) => {
  const users = sourceFiles().filter((file) => roomOf(file) !== room && pattern.test(readFileSync(file, "utf8")));
  expect(users.map((file) => relative(source, file))).toEqual([]);
});

test("a service starts without the rooms that only jobs need", () => {
  const rooms = new Set(loadedWith(join(source, "cli/serve-command.ts")).map(roomOf));
  expect(["checkout", "runner", "dependencies", "verify", "loop"].filter((room) => rooms.has(room))).toEqual([]);
});

test("no source file is longer than 200 lines", () => {
  const long = sourceFiles().filter((file) => readFileSync(file, "utf8").split("\n").length > 201);
  expect(long.map((file) => relative(source, file))).toEqual([]);
});

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(source, file));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map((match) => resolve(dirname(file), match[1] ?? ""));
}

/** A file and what Node loads before it runs: no types, and nothing that is imported on demand. */
function loadedWith(file: string, found: Set<string> = new Set()): string[] {
  found.add(file);
  const statements = readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"/gm);
  const targets = [...statements].map((match) => resolve(dirname(file), match[1] ?? ""));
  for (const target of targets) if (!found.has(target)) loadedWith(target, found);
  return [...found];
}

/** The folder below `src`, or the name of a file that lies in `src` itself. */
function roomOf(file: string): string {
  return relative(source, file).split("/")[0]?.replace(/\.ts$/, "") ?? "";
}
