/** The message of a repair's commit. */
export interface CommitMessage {
  readonly headline: string;
  readonly body: string;
}

const longestHeadline = 72;

/** Only the headline comes from the model, in one line, so that no trailer of a commit is under its control. */
export function commitMessage(title: string, jobId: string): CommitMessage {
  const flat = title.replace(/\s+/g, " ").trim();
  const headline = flat.length > longestHeadline ? `${flat.slice(0, longestHeadline - 1).trimEnd()}…` : flat;
  return {
    headline,
    body: `Proven in a fresh container: red before, green after, red again without it.\n\nAutolith-Run: ${jobId}`,
  };
}
