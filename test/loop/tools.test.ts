import { expect, test } from "vitest";
import { actionOf, toolDefinitions } from "../../src/loop/tool/tools.ts";

test("the tools are those of the design, in a fixed order with fixed arguments", () => {
  const shapes = toolDefinitions.map(({ name, parameters }) => {
    const { properties, required } = parameters as { properties: object; required: string[] };
    return `${name}(${Object.keys(properties)
      .map((key) => (required?.includes(key) ? key : `${key}?`))
      .join(", ")})`;
  });
  expect(shapes).toEqual([
    "execute(language, code)",
    "run_tests(tests?)",
    "shell(command)",
    "read_file(path, start_line?, end_line?)",
    "search(pattern, glob?)",
    "edit_file(path, old_text, new_text)",
    "finish(root_cause, summary)",
    "give_up(reason)",
  ]);
});

async function complaintOf(name: string, args: string): Promise<string> {
  const action = actionOf({ id: "1", name, arguments: args });
  if (action.kind !== "observe") throw new Error(`taken for ${action.kind}`);
  const surprise = new Proxy(
    {},
    {
      get: () => {
        throw new Error("the workspace was used");
      },
    },
  );
  return (await action.run(surprise as never, new AbortController().signal)).text;
}

test.each([
  ["shell", '{"command": "ls'],
  ["execute", ""],
  ["execute", '["python", "1"]'],
  ["read_file", "{}"],
  ["read_file", '{"path": 7}'],
  ["execute", '{"language": "cobol", "code": "x"}'],
  ["finish", '{"root_cause": "x"}'],
  ["give_up", "null"],
])("wrong arguments for %s are an observation: %s", async (name, args) => {
  expect(await complaintOf(name, args)).toMatch(name);
});

test("an unknown tool is answered with the names of those that exist", async () => {
  expect(await complaintOf("deploy", "{}")).toContain("There is no tool deploy. Tools: execute, run_tests");
});

test("finish and give_up are recognised", () => {
  expect(actionOf({ id: "1", name: "finish", arguments: '{"root_cause":"a","summary":"b"}' })).toEqual({
    kind: "finish",
    rootCause: "a",
    summary: "b",
  });
  expect(actionOf({ id: "1", name: "give_up", arguments: '{"reason":"a"}' })).toEqual({ kind: "give-up", reason: "a" });
});
