import type { ScriptedCall } from "./answer.ts";

export type TextForm = "fenced-json" | "tool-call-tag" | "react" | "function-tag" | "function-parameters" | "bare-json";

/** Calls as models write them that have no, or a badly configured, tool support. */
export function writtenCalls(calls: readonly ScriptedCall[], form: TextForm): string {
  return calls.map((call) => writers[form](call)).join("\n");
}

const writers: Readonly<Record<TextForm, (call: ScriptedCall) => string>> = {
  "fenced-json": (call) => `\`\`\`json\n${named(call)}\n\`\`\``,
  "tool-call-tag": (call) => `<tool_call>\n${named(call)}\n</tool_call>`,
  react: (call) => `Action: ${call.tool}\nAction Input: ${text(call)}`,
  "function-tag": (call) => `<function=${call.tool}>${text(call)}</function>`,
  "function-parameters": (call) => `<tool_call>\n<function=${call.tool}>\n${parameters(call)}</function>\n</tool_call>`,
  "bare-json": named,
};

function named(call: ScriptedCall): string {
  return `{"name": ${JSON.stringify(call.tool)}, "arguments": ${text(call)}}`;
}

function text({ arguments: args }: ScriptedCall): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

function parameters({ arguments: args }: ScriptedCall): string {
  if (typeof args === "string") return args;
  return Object.entries(args)
    .map(
      ([key, value]) =>
        `<parameter=${key}>\n${typeof value === "string" ? value : JSON.stringify(value)}\n</parameter>\n`,
    )
    .join("");
}
