import { expect, test } from "vitest";
import { textToolCalls } from "../../src/model/text-tool-calls.ts";
import { expectLinear } from "../linear-time.ts";
import { tools } from "./requests.ts";

function found(answer: string): unknown[] {
  return textToolCalls(answer, tools).calls.map(({ name, arguments: text }) => [name, text]);
}

const args = '{"language":"python","code":"1"}';
const call = `{"name": "execute", "arguments": ${args}}`;

test.each([
  ["fenced JSON", `\`\`\`json\n${call}\n\`\`\``],
  ["a fence without a language", `\`\`\`\n${call}\n\`\`\``],
  ["a fence with Windows line ends", `\`\`\`json\r\n${call}\r\n\`\`\`\r\n`],
  ["a fence of tildes", `~~~json\n${call}\n~~~`],
  ["a fence that is not closed", `\`\`\`json\n${call}\n`],
  ["a tag", `<tool_call>${call}</tool_call>`],
  ["a tag that is not closed", `<tool_call>\n${call}\n`],
  ["a tag within a fence", `\`\`\`xml\n<tool_call>\n${call}\n</tool_call>\n\`\`\``],
  ["ReAct", `Action: execute\nAction Input: ${args}`],
  ["ReAct in bold type", `**Action:** \`execute\`\n**Action Input:** ${args}`],
  ["ReAct with a fenced input", `Action: execute\nAction Input:\n\`\`\`json\n${args}\n\`\`\``],
  ["a function tag", `<function=execute>${args}</function>`],
  ["a function tag that is not closed", `<function=execute>${args}`],
  [
    "a function tag with parameters",
    "<function=execute>\n<parameter=language>\npython\n</parameter>\n<parameter=code>\n1\n</parameter>\n</function>",
  ],
  [
    "parameters that are not closed",
    "<function=execute>\n<parameter=language>\npython\n<parameter=code>\n1\n</function>",
  ],
  [
    "a function tag in a tool call tag",
    `<tool_call>\n<function=execute>\n<parameter=language>python</parameter>\n<parameter=code>1</parameter>\n</function>\n</tool_call>`,
  ],
  ["JSON and nothing else", ` ${call}\n`],
  ["other names for name and arguments", `{"tool": "execute", "parameters": ${args}}`],
  ["arguments as text", `{"name": "execute", "arguments": ${JSON.stringify(args)}}`],
  ["the form of the API", `{"type": "function", "function": ${call}}`],
  ["a list", `[${call}]`],
  ["a list of tool_calls", `{"tool_calls": [${call}]}`],
  [
    "a call after a thought",
    `<think>I could call\n<tool_call>{"name":"run_tests","arguments":{}}</tool_call></think>\n<tool_call>${call}</tool_call>`,
  ],
  ["a call after a thought that the template began", `so I run it.\n</think>\n\`\`\`json\n${call}\n\`\`\``],
])("finds a call in %s", (_name, answer) => {
  expect(found(answer)).toEqual([["execute", args]]);
});

test("keeps the thought around a call as text", () => {
  const { text } = textToolCalls(`First I look.\n\n\`\`\`json\n${call}\n\`\`\`\n\nThen I decide.`, tools);
  expect(text).toBe("First I look.\n\n\n\nThen I decide.");
});

test("finds several calls of several forms in their order", () => {
  const answer = `<tool_call>${call}</tool_call> and <function=run_tests></function>\nAction: read_file\nAction Input: {"path": "a"}\n`;
  expect(found(answer)).toEqual([
    ["execute", args],
    ["run_tests", "{}"],
    ["read_file", '{"path": "a"}'],
  ]);
  expect(found(`\`\`\`json\n${call}\n${call}\n\`\`\``)).toHaveLength(2);
});

test("reads parameters by the types of the tool", () => {
  const body = "<parameter=path>12</parameter><parameter=start_line>12</parameter><parameter=end_line>last</parameter>";
  expect(found(`<function=read_file>${body}</function>`)).toEqual([
    ["read_file", '{"path":"12","start_line":12,"end_line":"last"}'],
  ]);
  expect(found('<function=run_tests><parameter=tests>["a", "b"]</parameter></function>')).toEqual([
    ["run_tests", '{"tests":["a","b"]}'],
  ]);
});

test("keeps code in parameters as it is, with tags, fences and steps of its own", () => {
  const code = 'if a < b:\n    print("```")\nObservation: none\n';
  const answer = `<function=execute>\n<parameter=language>\npython\n</parameter>\n<parameter=code>\n${code}\n</parameter>\n</function>`;
  expect(JSON.parse(textToolCalls(answer, tools).calls[0]?.arguments ?? "")).toEqual({ language: "python", code });
});

test.each([
  ["a tag", `<tool_call>\n{"name": "execute", "arguments": {"language": "python", "code": "x\n</tool_call>`],
  ["a fence", '```json\n{"name": "execute", "arguments": {"language": \'python\'}}\n```'],
  ["single quotes", "```\n{'name': 'execute', 'arguments': {'language': 'python'}}\n```"],
  ["ReAct", "Action: execute\nAction Input: print(1)"],
  ["a function tag", "<function=execute>{language: python}</function>"],
  ["JSON alone", '{"name": "execute", "arguments": {"code": "a" "b"}}'],
])("passes malformed arguments on as they are from %s", (_name, answer) => {
  const { calls } = textToolCalls(answer, tools);
  expect(calls).toMatchObject([{ name: "execute" }]);
  const text = calls[0]?.arguments ?? "";
  expect(() => JSON.parse(text)).toThrow();
  expect(answer).toContain(text);
});

test("ignores results and steps that the model made up", () => {
  const react = `Thought: look\nAction: execute\nAction Input: ${args}\nObservation: 1\nThought: good\nAction: run_tests\nAction Input: {}`;
  expect(textToolCalls(react, tools)).toEqual({ text: "Thought: look", calls: [{ name: "execute", arguments: args }] });
  const tagged = `<tool_call>${call}</tool_call>\n<tool_response>1</tool_response>\n<tool_call>{"name":"run_tests","arguments":{}}</tool_call>`;
  expect(found(tagged)).toEqual([["execute", args]]);
});

test.each([
  "I would call execute with language python, or `<tool_call>` it, or <function=execute> it.",
  'The config:\n```json\n{"name": "execute", "version": "1.0.0", "main": "index.js"}\n```',
  'The bundler:\n```json\n{"name": "execute", "input": "src/index.js"}\n```',
  `As an example:\n\`\`\`python\nprint('${call}')\n\`\`\``,
  `\`\`\`js\n<tool_call>${call}</tool_call>\n\`\`\``,
  '```json\n{"name": "deploy", "arguments": {}}\n```',
  '<tool_call>{"name": "deploy", "arguments": {}}</tool_call>',
  "<function=deploy>{}</function>",
  "Action: wait\nAction Input: {}",
  "Action: execute the tests again\nand see",
  "Legal Action: execute",
  `<think>I might <tool_call>${call}</tool_call>`,
  "[1, 2, 3]",
  "{}",
  "",
])("finds no call in %j", (answer) => {
  expect(textToolCalls(answer, tools)).toEqual({ text: answer, calls: [] });
});

test("survives arguments that are nested too deeply to be written again", () => {
  const deep = `${'{"function":'.repeat(100_000)}1${"}".repeat(100_000)}`;
  expect(found(deep)).toEqual([]);
  expect(found(`{"name":"execute","arguments":${deep}}`)).toEqual([["execute", ""]]);
});

test.each([
  "<tool_call>",
  '<tool_call>{"name": "execute", "arguments": ',
  "<function=execute>{",
  "<function=execute><parameter=code>",
  "```json\n",
  "```",
  "`",
  "Action: execute\nAction Input: {",
  "Action: ",
  "\n",
  "{\n",
  "[",
  " ",
  "</think>",
  '{"name":"execute","arguments":"',
])("takes two megabytes of %j in linear time", (piece) => {
  expectLinear((size) => {
    const answer = piece.repeat(Math.ceil(size / piece.length));
    textToolCalls(answer, tools);
    textToolCalls(`{${answer}}`, tools);
    textToolCalls(`<tool_call>{${answer}`, tools);
    textToolCalls(`Action: execute\nAction Input: \`\`\`${answer}x`, tools);
  }, 2_000_000);
});
