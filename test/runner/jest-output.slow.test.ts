import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestRun } from "../../src/runner/report.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { type EngineUnderTest, engineUnderTest } from "../docker/engine-under-test.ts";
import { installedPackages } from "./installed-packages.ts";
import { reportOf, sandboxedProject, statuses, testIn } from "./sandboxed-project.ts";

let under: EngineUnderTest;
let sandbox: Sandbox;
const file = "prints/prints.test.js";
/** Laying some 50 MB of packages into a sandbox takes its time. */
const timeout = 300_000;

beforeAll(async () => {
  under = await engineUnderTest();
  sandbox = await under.start();
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  expect(await under.leftOvers()).toEqual([]);
});

/** What a failing test printed by itself, as its message says, by stream, without places and empty lines. */
function printed(run: TestRun, name: string): Record<string, string> {
  const [, ...parts] = testIn(run, `${file} > ${name}`).message.split(/^--- (.+) ---$/m);
  const streams = parts.flatMap((part, at) => (at % 2 === 0 ? [[part, textOf(parts[at + 1] ?? "")] as const] : []));
  return Object.fromEntries(streams.filter(([stream]) => !stream.endsWith(" of the file")));
}

function textOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !/^at |^console\.\w+$|^\d* *\||^> \d+ \|/.test(line)).join("\n");
}

test.each(["30.5.2", "29.7.0", "26.6.3"])(
  "jest %s: a failure holds what its test printed, in every way that jest prints",
  async (version) => {
    const project = await sandboxedProject(sandbox, "runner-jest", await installedPackages({ jest: version }));
    const jest = "NODE_NO_WARNINGS=1 npx jest --config prints.config.js";
    const both = await project.run(`${jest} --maxWorkers=2`);
    const own = { console: "info: printed before each\nprinted by logs\nerror: complained by logs" };
    const after = { stderr: "written after each" };
    expect(printed(both, "logs")).toEqual({ ...own, ...after });
    expect(printed(both, "outer > of one name")).toMatchObject({ stdout: "written by the first" });
    expect(printed(both, "outer > of one name #2")).toMatchObject({ stdout: "written by the second" });
    expect(printed(both, "prints much")["console"]).toMatch(/line 999$/);
    expect(printed(both, "replaces what prints")["console"]).toMatch(/to somebody$/);
    expect(testIn(both, `${file} > replaces what prints`).exception?.message).toBe("as it should");
    const { message } = testIn(both, `${file} > logs`);
    expect(message).toContain("--- console of the file ---\nprinted by set-up\nprinted before all\n--- ");
    expect(message).not.toContain("printed by one that passes");
    expect(testIn(both, "prints/concurrent.test.js > one").message).toMatch(/ of the file ---\n.*printed by two/s);
    expect(both.result.stdout.text + both.result.stderr.text).toMatch(/printed by one that passes.*Tests:/s);

    const setUp = version.startsWith("26.") ? "failed" : "error";
    expect(statuses(both)).toMatchObject({
      [`${file} > logs`]: "failed",
      [`${file} > has no set-up > never runs`]: setUp,
      [`${file} > has a set-up that fails for each > never runs either`]: setUp,
    });

    const alone = await project.run(`${jest} -i ${file}`);
    expect(statuses(alone)).toMatchObject({ [`${file} > logs`]: "failed" });
    const streams = printed(alone, "logs");
    expect(streams["stdout"]).toBe(own.console.replaceAll(/\w+: /g, ""));
    expect(streams["stderr"]).toMatch(/written after each$/);
    const silent = await project.run(`${jest} --silent`);
    expect(printed(silent, "logs")).toEqual(after);
    expect(reportOf(silent).complete).toBe(true);
  },
  timeout,
);

test(
  "jest: the same in the environment of a browser",
  async () => {
    const packages = { jest: "29.7.0", "jest-environment-jsdom": "29.7.0" };
    const project = await sandboxedProject(sandbox, "runner-jest", await installedPackages(packages));
    await project.add({
      "prints/page.test.js":
        'test("shows", () => {\n  console.warn("of a page");\n  window.document.title = "a";\n  expect(window.document.title).toBe("b");\n});\n',
    });
    const run = await project.run("npx jest --config prints.config.js --env=jsdom --maxWorkers=2 --verbose=false");
    expect(testIn(run, "prints/page.test.js > shows").message).toMatch(/--- console ---\nwarn: of a page$/);
    expect(printed(run, "logs")["console"]).toMatch(/printed by logs\nerror: complained by logs$/);
    expect(statuses(run)).toMatchObject({ [`${file} > has no set-up > never runs`]: "error" });
  },
  timeout,
);
