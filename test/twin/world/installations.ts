import type { Account, Installation, Permissions } from "./account.ts";
import type { Repository } from "./repository.ts";
import type { World } from "./world.ts";

/** Where the app under test is installed. */
export class Installations {
  readonly #world: World;
  readonly #installations = new Map<number, Installation>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Installs the app on an account: on all its repositories, or on the given ones. */
  add(
    account: Account,
    options: { readonly repositories?: readonly Repository[]; readonly permissions?: Permissions } = {},
  ): Installation {
    if (this.ofAccount(account) !== undefined) throw new Error(`the app is already installed on ${account.login}`);
    const installation: Installation = {
      id: this.#world.nextId(),
      account,
      permissions: { metadata: "read", ...(options.permissions ?? this.#world.app.permissions) },
      createdAt: this.#world.clock.iso(),
      repositories: options.repositories === undefined ? "all" : new Set(options.repositories.map(({ id }) => id)),
      suspendedAt: null,
      deleted: false,
    };
    this.#installations.set(installation.id, installation);
    this.#world.happened({ event: "installation", action: "created", installation, sender: account });
    return installation;
  }

  /** Takes the app off an account: its tokens stop working at once. */
  remove(installation: Installation, sender: Account = installation.account): void {
    installation.deleted = true;
    this.#world.happened({ event: "installation", action: "deleted", installation, sender });
  }

  /** Suspends an installation, or ends the suspension. */
  suspend(installation: Installation, suspended = true): void {
    installation.suspendedAt = suspended ? this.#world.clock.iso() : null;
    const action = suspended ? "suspend" : "unsuspend";
    this.#world.happened({ event: "installation", action, installation, sender: installation.account });
  }

  /** Takes repositories out of a selection. */
  removeRepositories(installation: Installation, repositories: readonly Repository[]): void {
    const kept = new Set(this.repositoriesOf(installation).map(({ id }) => id));
    for (const repository of repositories) kept.delete(repository.id);
    installation.repositories = kept;
    const sender = installation.account;
    this.#world.happened({ event: "installation_repositories", action: "removed", installation, repositories, sender });
  }

  /** All installations that were not removed. */
  all(): Installation[] {
    return [...this.#installations.values()].filter((installation) => !installation.deleted);
  }

  /** The installation of an id, unless it was removed. */
  byId(id: number): Installation | undefined {
    return this.all().find((installation) => installation.id === id);
  }

  /** The installation on an account. */
  ofAccount(account: Account): Installation | undefined {
    return this.all().find((installation) => installation.account.id === account.id);
  }

  /** The installation that covers a repository. */
  covering(repository: Repository): Installation | undefined {
    return this.all().find((installation) => this.covers(installation, repository));
  }

  /** Whether a repository is among those of an installation. */
  covers(installation: Installation, repository: Repository): boolean {
    if (installation.account.id !== repository.owner.id) return false;
    return installation.repositories === "all" || installation.repositories.has(repository.id);
  }

  /** The repositories of an installation. */
  repositoriesOf(installation: Installation): Repository[] {
    return this.#world.repositories.all().filter((repository) => this.covers(installation, repository));
  }
}
