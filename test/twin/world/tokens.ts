import { createHmac, randomBytes } from "node:crypto";
import type { Installation, Level, Permissions } from "./account.ts";
import type { Repository } from "./repository.ts";
import type { World } from "./world.ts";

const LIFETIME_MS = 3_600_000;
const RANK: Readonly<Record<Level, number>> = { read: 1, write: 2, admin: 3 };

/** An installation token: who it acts for, where, and what it may do. */
export interface InstallationToken {
  readonly value: string;
  readonly installation: Installation;
  readonly permissions: Permissions;
  /** The ids that it was narrowed to; null for all of the installation's. */
  readonly repositoryIds: ReadonlySet<number> | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  revoked: boolean;
}

/** The installation tokens that were minted. */
export class Tokens {
  readonly #world: World;
  readonly #tokens = new Map<string, InstallationToken>();
  readonly #secret = randomBytes(32);

  constructor(world: World) {
    this.#world = world;
  }

  /** Mints a token for one hour. */
  mint(
    installation: Installation,
    permissions: Permissions,
    repositoryIds: ReadonlySet<number> | null,
  ): InstallationToken {
    const expiresAt = this.#world.clock.now() + LIFETIME_MS;
    const value = this.#value(installation, expiresAt);
    const token = { value, installation, permissions, repositoryIds, expiresAt, revoked: false };
    this.#tokens.set(value, token);
    return token;
  }

  /** The token of a value, as long as it is good; a token dies with its installation. */
  find(value: string): InstallationToken | undefined {
    const token = this.#tokens.get(value);
    if (token === undefined || token.revoked || token.installation.deleted) return undefined;
    return token.expiresAt > this.#world.clock.now() ? token : undefined;
  }

  /** Every token that was ever minted, for tests that look at how narrow they were. */
  all(): InstallationToken[] {
    return [...this.#tokens.values()];
  }

  /** Whether a token reaches a repository. */
  reaches(token: InstallationToken, repository: Repository): boolean {
    if (!this.#world.installations.covers(token.installation, repository)) return false;
    return token.repositoryIds === null || token.repositoryIds.has(repository.id);
  }

  /**
   * The form that GitHub rolls out since 2026: `ghs_<app id>_<JWT>`, about 520 characters, with dots.
   * Whoever expects 40 characters fails here first.
   */
  #value(installation: Installation, expiresAt: number): string {
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
    const claims = {
      iss: "twin",
      sub: installation.id,
      exp: Math.floor(expiresAt / 1000),
      jti: randomBytes(180).toString("base64url"),
    };
    const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    const signature = createHmac("sha256", this.#secret).update(signed).digest("base64url");
    return `ghs_${this.#world.app.id}_${signed}.${signature}`;
  }
}

/** Whether `permissions` include one like `checks:write`. */
export function allows(permissions: Permissions, needed: string): boolean {
  const [name = "", level = "read"] = needed.split(":");
  const held = permissions[name];
  return held !== undefined && RANK[held] >= RANK[level as Level];
}
