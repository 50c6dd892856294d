import { z } from "zod";

/** What people had written of an issue when somebody asked for its repair; untrusted text. A job keeps it, whatever is changed later. */
export const reportSchema = z.object({
  title: z.string(),
  body: z.string(),
  /** Earlier comments of people who may write to the repository, oldest first. */
  comments: z.array(z.object({ login: z.string(), text: z.string() }).readonly()).readonly(),
});
