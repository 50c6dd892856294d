/** One failing check as CI described it. */
export interface FailedCheck {
  readonly name: string;
  /** Null unless it lies on the same host as the repository. */
  readonly url: string | null;
  /** The failing step's command, fully expanded; null when no log tells. */
  readonly command: string | null;
  /** Literal environment of the step that is not secret. */
  readonly env: Readonly<Record<string, string>>;
  /** Why it cannot run in a Linux container without network; null when nothing says so. */
  readonly needs: string | null;
  /** What could not be found out, for a person; null when nothing is missing. */
  readonly gap: string | null;
}

/** Everything that CI says about a commit that is red. */
export interface Evidence {
  readonly checks: readonly FailedCheck[];
}
