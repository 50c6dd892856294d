import type { Account, Integration, Permissions } from "./account.ts";
import type { World } from "./world.ts";

/** What an app asks for unless a test says otherwise: the table of Autolith's own app.yml. */
const APP_PERMISSIONS: Permissions = {
  metadata: "read",
  actions: "read",
  checks: "write",
  contents: "write",
  pull_requests: "write",
  issues: "write",
  statuses: "read",
};

const APP_EVENTS = [
  "check_run",
  "check_suite",
  "issue_comment",
  "issues",
  "pull_request",
  "pull_request_review_comment",
];

/** Users, organisations and apps. */
export class Accounts {
  readonly #world: World;
  readonly #accounts = new Map<number, Account>();
  readonly #integrations = new Map<string, Integration>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Adds a person. */
  addUser(login: string, options: { readonly name?: string } = {}): Account {
    return this.#add(login, "User", options.name ?? null);
  }

  /** Adds the bot user of another app, by its login `<slug>[bot]`, with the id that it has on github.com. */
  addBot(login: string, id: number): Account {
    return this.byId(id) ?? this.#add(login, "Bot", null, id);
  }

  /** Who commits what is made through GitHub's pages and its API; the id is that of github.com. */
  get webFlow(): Account {
    return this.byLogin("web-flow") ?? this.#add("web-flow", "User", null, 19_864_447);
  }

  /** Adds an organisation. */
  addOrganization(login: string): Account {
    return this.#add(login, "Organization", login);
  }

  /** Adds an app with its bot user. Events and permissions are those of the app under test. */
  addIntegration(slug: string, options: { readonly id?: number } = {}): Integration {
    const integration: Integration = {
      id: options.id ?? this.#world.nextId(),
      slug,
      name: slug,
      owner: this.byLogin(`${slug}-owner`) ?? this.addUser(`${slug}-owner`),
      bot: this.#add(`${slug}[bot]`, "Bot", null),
      permissions: APP_PERMISSIONS,
      events: APP_EVENTS,
      createdAt: this.#world.clock.iso(),
    };
    this.#integrations.set(slug, integration);
    return integration;
  }

  /** GitHub's own CI, which has this id on github.com and another one on every GitHub Enterprise Server. */
  get githubActions(): Integration {
    return this.#integrations.get("github-actions") ?? this.addIntegration("github-actions", { id: 15368 });
  }

  /** The account of a login, in any case. */
  byLogin(login: string): Account | undefined {
    const wanted = login.toLowerCase();
    return [...this.#accounts.values()].find((account) => account.login.toLowerCase() === wanted);
  }

  /** The account of an id. */
  byId(id: number): Account | undefined {
    return this.#accounts.get(id);
  }

  /** Gives an account another login; the old one is free for anybody from then on. */
  rename(account: Account, login: string): void {
    if (this.byLogin(login) !== undefined) throw new Error(`the login ${login} is taken`);
    account.login = login;
  }

  /** The account of a login, which is added as a person when there is none. */
  ensure(login: string): Account {
    return this.byLogin(login) ?? this.addUser(login);
  }

  #add(login: string, type: Account["type"], name: string | null, id = this.#world.nextId()): Account {
    if (this.byLogin(login) !== undefined) throw new Error(`the login ${login} is taken`);
    const account: Account = { id, login, type, name, createdAt: this.#world.clock.iso() };
    this.#accounts.set(account.id, account);
    return account;
  }
}
