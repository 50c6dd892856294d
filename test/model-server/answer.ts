/** A tool call that the scripted model makes; `arguments` as text is sent as it is, however malformed. */
export interface ScriptedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

export interface TurnAnswer {
  readonly kind: "turn";
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
  readonly finish?: "stop" | "length" | "content_filter";
  /** Overrides what the server counts. */
  readonly usage?: { readonly inputTokens: number; readonly cachedTokens: number; readonly outputTokens: number };
}

/** What the server does with one request. */
export type Answer =
  | TurnAnswer
  | {
      readonly kind: "error";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  | { readonly kind: "raw"; readonly status: number; readonly contentType: string; readonly body: string }
  /** The connection breaks before the answer, or in the middle of a stream. */
  | { readonly kind: "hang-up"; readonly when: "at-once" | "half-way" }
  /** Nothing comes, or nothing more after the first piece of a stream. */
  | { readonly kind: "silence"; readonly when: "at-once" | "half-way" };

export function says(text: string): TurnAnswer {
  return { kind: "turn", text, calls: [] };
}

export function calls(tool: string, args: ScriptedCall["arguments"], text = ""): TurnAnswer {
  return { kind: "turn", text, calls: [{ tool, arguments: args }] };
}

export function callsAll(scripted: readonly ScriptedCall[], text = ""): TurnAnswer {
  return { kind: "turn", text, calls: scripted };
}

/** An HTTP error in OpenAI's form. */
export function fails(
  status: number,
  message: string,
  fields: { code?: string; param?: string; headers?: Readonly<Record<string, string>> } = {},
): Answer {
  const { code = null, param = null, headers = {} } = fields;
  return { kind: "error", status, headers, body: { error: { message, type: "error", param, code } } };
}
