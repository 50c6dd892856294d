import { z } from "zod";

const toolCall = z.strictObject({
  id: z.string().min(1).max(64),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), arguments: z.string() }),
});

const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: z.string() }),
  z.strictObject({ role: z.literal("user"), content: z.string() }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.string().nullable(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal("tool"), content: z.string(), tool_call_id: z.string().min(1) }),
]);

/** A Chat Completions request, as strict as the strictest endpoint: https://platform.openai.com/docs/api-reference/chat/create */
export const chatRequestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        function: z.strictObject({
          name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
          description: z.string().min(1),
          parameters: z.record(z.string(), z.unknown()),
        }),
      }),
    )
    .min(1)
    .optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;
export type ChatMessage = ChatRequest["messages"][number];
