import type { Account, Installation, Integration } from "./account.ts";
import { Accounts } from "./accounts.ts";
import { Checks } from "./checks.ts";
import { TwinClock } from "./clock.ts";
import type { Happening } from "./happening.ts";
import { Installations } from "./installations.ts";
import { Issues } from "./issues.ts";
import { Pulls } from "./pulls.ts";
import { RateLimits } from "./rate-limits.ts";
import { Repositories } from "./repositories.ts";
import { fullName, type Repository } from "./repository.ts";
import { Tokens } from "./tokens.ts";
import { Workflows } from "./workflows.ts";

/** Where the twin is reached, without a slash at the end. */
export interface Addresses {
  /** Pages and git, GitHub's `https://github.com`. */
  readonly web: string;
  /** The REST API. */
  readonly api: string;
  /** Job logs; another origin, as the blob storage is. */
  readonly storage: string;
}

/** What a world is made of. */
export interface WorldOptions {
  readonly appId: number;
  readonly appSlug: string;
  readonly publicKey: string;
  /** Where the bare repositories are put. */
  readonly directory: string;
}

/** Everything that the twin knows, and the operations on it, which tests and the API share. */
export class World {
  readonly clock = new TwinClock();
  readonly rateLimits = new RateLimits(this.clock);
  readonly options: WorldOptions;
  readonly accounts: Accounts;
  readonly installations: Installations;
  readonly tokens: Tokens;
  readonly repositories: Repositories;
  readonly issues: Issues;
  readonly pulls: Pulls;
  readonly checks: Checks;
  readonly workflows: Workflows;
  /** The app under test. */
  readonly app: Integration;
  /** Set once the servers listen. */
  addresses: Addresses = { web: "", api: "", storage: "" };
  #lastId = 50_000_000_000;
  readonly #listeners: ((happening: Happening) => void)[] = [];

  constructor(options: WorldOptions) {
    this.options = options;
    this.accounts = new Accounts(this);
    this.app = this.accounts.addIntegration(options.appSlug, { id: options.appId });
    this.installations = new Installations(this);
    this.tokens = new Tokens(this);
    this.repositories = new Repositories(this);
    this.issues = new Issues(this);
    this.pulls = new Pulls(this);
    this.checks = new Checks(this);
    this.workflows = new Workflows(this);
  }

  /** A fresh id, beyond 32 bits like GitHub's own, so that a column that is too narrow shows. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Calls `listener` for everything that GitHub would send a webhook for. */
  onHappening(listener: (happening: Happening) => void): void {
    this.#listeners.push(listener);
  }

  /** Tells that something happened, at once and before anything else can change. */
  happened(happening: Happening): void {
    for (const listener of this.#listeners) listener(happening);
  }

  /** The bot user of the app under test. */
  get bot(): Account {
    return this.app.bot;
  }

  /** The repository of a name (`owner/name`, in any case), under its present name only. */
  repositoryByName(name: string): Repository | undefined {
    const wanted = name.toLowerCase();
    return this.repositories.all().find((repository) => fullName(repository).toLowerCase() === wanted);
  }

  /** The installation of the app that covers a repository; undefined without one. */
  installationOf(repository: Repository): Installation | undefined {
    return this.installations.covering(repository);
  }
}
