/** A place in the project's own code that uses a package. */
export interface CallSite {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** The call as it is written, cut: `pad(text, 4)`; or the import, where nothing of it is called. */
  readonly text: string;
  readonly isCall: boolean;
  readonly isTest: boolean;
}

/** More are not shown to anybody. */
export const mostCallSites = 200;
