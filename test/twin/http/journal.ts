import type { Permissions } from "../world/account.ts";

/** One request that the twin got. */
export interface RequestRecord {
  readonly method: string;
  /** Path and query as sent, without the API's prefix. */
  readonly path: string;
  /** The operation in GitHub's notation; null for one that the twin does not know, and for git. */
  readonly route: string | null;
  readonly at: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body, parsed when it is JSON. */
  body: unknown;
  identity: "anonymous" | "app" | "installation";
  /** What the token could do, and what the operation needed, for least-privilege checks. */
  permissions: Permissions | null;
  needed: readonly string[];
  /** 0 until it is answered, and for connections that a fault cut off. */
  status: number;
}

/** What the twin saw: all requests, and what is wrong with them. A test ends with `problems()` being empty. */
export class Journal {
  /** In the order in which they came. */
  readonly requests: RequestRecord[] = [];
  /** Requests that the twin has no answer to. */
  readonly surprises: string[] = [];
  /** Requests that GitHub's API description does not allow, and answers of the twin that it does not allow. */
  readonly violations: string[] = [];

  /** Everything that must not be there at the end of a test. */
  problems(): string[] {
    return [...this.surprises, ...this.violations];
  }

  /** The requests of one operation, `POST /repos/{owner}/{repo}/check-runs`. */
  of(route: string): RequestRecord[] {
    return this.requests.filter((request) => request.route === route);
  }
}
