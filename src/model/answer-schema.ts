import { z } from "zod";

/**
 * What is read of an answer, streamed (`delta`) or whole (`message`). Lenient where endpoints differ: content in parts, arguments as an
 * object, missing indexes and ids.
 * https://platform.openai.com/docs/api-reference/chat/object
 */
const contentSchema = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().nullish().catch(null) }).transform((part) => part.text ?? ""))
    .transform((parts) => parts.join("")),
]);

const toolCallSchema = z.object({
  index: z.int().nonnegative().nullish(),
  id: z.string().nullish(),
  function: z.object({
    name: z.string().nullish(),
    arguments: z
      .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
      .nullish(),
  }),
});

const messageSchema = z.object({
  content: contentSchema.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCallSchema).nullish(),
});

const countSchema = z.int().nonnegative();

const usageSchema = z.object({
  prompt_tokens: countSchema,
  completion_tokens: countSchema,
  prompt_tokens_details: z.object({ cached_tokens: countSchema.nullish() }).nullish().catch(null),
  // DeepSeek: https://api-docs.deepseek.com/guides/kv_cache
  prompt_cache_hit_tokens: countSchema.nullish().catch(null),
});

/** One JSON object of an answer: a whole completion or one chunk of a stream. */
export const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: messageSchema.nullish(),
        message: messageSchema.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  // A usage that makes no sense counts as none.
  usage: usageSchema.nullish().catch(null),
});

export type AnswerPart = z.infer<typeof answerSchema>;
export type MessagePart = z.infer<typeof messageSchema>;
export type ToolCallPart = z.infer<typeof toolCallSchema>;

/** The object that endpoints put into an answer, or into a stream, in place of a completion. */
export const errorSchema = z.object({
  error: z.union([
    z.string().transform((message) => ({ message, code: null, type: null, param: null })),
    z.object({
      message: z.string().nullish().catch(null),
      code: z.union([z.string(), z.number()]).nullish().catch(null),
      type: z.string().nullish().catch(null),
      param: z.string().nullish().catch(null),
    }),
  ]),
});
