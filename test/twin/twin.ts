import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GitHttp } from "./git/git-http.ts";
import { GraphQl } from "./graphql/graphql.ts";
import { githubSchema } from "./graphql/schema.ts";
import { Api } from "./http/api.ts";
import { type Fault, Faults } from "./http/faults.ts";
import { Journal, type RequestRecord } from "./http/journal.ts";
import { LogStorage } from "./http/log-storage.ts";
import { Router } from "./http/router.ts";
import { GitHubServer, listen } from "./http/server.ts";
import type { Json } from "./json/accounts.ts";
import { operation } from "./openapi/description.ts";
import { allRoutes } from "./rest/all-routes.ts";
import { type Delivery, type DeliveryOptions, Webhooks } from "./webhooks/webhooks.ts";
import type { Integration } from "./world/account.ts";
import type { Accounts } from "./world/accounts.ts";
import type { Checks } from "./world/checks.ts";
import type { TwinClock } from "./world/clock.ts";
import type { Installations } from "./world/installations.ts";
import type { Issues } from "./world/issues.ts";
import type { Pulls } from "./world/pulls.ts";
import type { Repositories } from "./world/repositories.ts";
import type { Tokens } from "./world/tokens.ts";
import type { Workflows } from "./world/workflows.ts";
import { World } from "./world/world.ts";

/** How a twin is started. */
export interface TwinOptions {
  /** `/api/v3` and `/api/graphql`, as on GitHub Enterprise Server; `/` and `/graphql` by default. */
  readonly enterprise?: boolean;
  readonly appId?: number;
  readonly appSlug?: string;
  readonly webhookSecret?: string;
  /** Holds the twin's own answers and webhooks against GitHub's description; some tenths of a second for each operation. */
  readonly checkAnswers?: boolean;
}

/**
 * A GitHub for one test: state, REST, GraphQL, git, webhooks. Close it by `await using`.
 *
 * ```ts
 * await using twin = await startTwin();
 * const repository = await twin.repositories.add({ owner: "acme", name: "shop", files: "test/fixtures/shop" });
 * const ada = twin.accounts.addUser("ada");
 * twin.repositories.permit(repository, ada, "write");
 * await twin.repositories.commit(repository, { branch: "topic", files: { "a.txt": "a" }, author: ada });
 * const pull = await twin.pulls.open(repository, { head: "topic", author: ada });
 * twin.webhooks.connect("http://127.0.0.1:3000/api/github/webhooks", twin.app.events);
 * const steps = [{ run: "npm test", output: "1 failed", exitCode: 1 }];
 * await twin.workflows.run(repository, { branch: "topic", jobs: [{ name: "test", steps }] });
 * await twin.webhooks.settled();
 * expect(twin.journal.problems()).toEqual([]);
 * ```
 */
export interface Twin extends AsyncDisposable {
  /** GitHub's pages and git: what `https://github.com` is. */
  readonly url: string;
  /** The REST API: what `https://api.github.com` is, Octokit's `baseUrl`. */
  readonly apiUrl: string;
  /** Where job logs are redirected to. */
  readonly storageUrl: string;
  readonly app: Integration & { readonly privateKey: string; readonly webhookSecret: string };
  readonly clock: TwinClock;
  readonly accounts: Accounts;
  readonly installations: Installations;
  readonly tokens: Tokens;
  readonly repositories: Repositories;
  readonly issues: Issues;
  readonly pulls: Pulls;
  readonly checks: Checks;
  readonly workflows: Workflows;
  readonly webhooks: Webhooks;
  readonly journal: Journal;
  /** Shorthands for what is used most. */
  readonly requests: readonly RequestRecord[];
  readonly surprises: readonly string[];
  readonly violations: readonly string[];
  /** Makes requests fail; see `Fault`. Returns a function that ends it. */
  fault(fault: Fault): () => void;
  /** Sends a webhook; see `Webhooks.deliver`. */
  deliver(event: string, payload: Json, options?: DeliveryOptions): Promise<Delivery>;
  /** Loads GitHub's descriptions now, which else the first requests wait for: half a second, for whoever measures. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a twin on free ports of the loopback interface. */
export async function startTwin(options: TwinOptions = {}): Promise<Twin> {
  const { publicKey, privateKey } = keyPair();
  const directory = await mkdtemp(join(tmpdir(), "twin-"));
  const {
    appId = 424_242,
    appSlug = "autolith",
    webhookSecret = "a secret for tests only",
    checkAnswers = false,
  } = options;
  const world = new World({ appId, appSlug, publicKey, directory });
  const journal = new Journal();
  const faults = new Faults();
  const webhooks = new Webhooks(world, journal, webhookSecret, checkAnswers);
  const logs = new LogStorage(world, journal);
  const api = new Api(world, new Router(allRoutes(webhooks, logs)), journal, checkAnswers);
  const prefix = options.enterprise === true ? "/api/v3" : "";
  const parts = {
    world,
    api,
    graphQl: new GraphQl(world, journal),
    git: new GitHttp(world, journal),
    faults,
    journal,
    prefix,
  };
  const main = await listen(new GitHubServer(parts).handle);
  const storage = await listen(logs.handle);
  world.addresses = { web: main.origin, api: `${main.origin}${prefix}`, storage: storage.origin };
  const close = async (): Promise<void> => {
    await webhooks.settled();
    await Promise.all([stop(main.server), stop(storage.server)]);
    await rm(directory, { recursive: true, force: true });
  };
  const { clock, accounts, installations, tokens, repositories, issues, pulls, checks, workflows } = world;
  return {
    url: world.addresses.web,
    apiUrl: world.addresses.api,
    storageUrl: world.addresses.storage,
    app: { ...world.app, privateKey, webhookSecret },
    clock,
    accounts,
    installations,
    tokens,
    repositories,
    issues,
    pulls,
    checks,
    workflows,
    webhooks,
    journal,
    requests: journal.requests,
    surprises: journal.surprises,
    violations: journal.violations,
    fault: (fault) => faults.add(fault),
    deliver: (event, payload, deliveryOptions) => webhooks.deliver(event, payload, deliveryOptions),
    warmUp: async () => {
      operation("GET /app");
      await githubSchema();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

let keys: { readonly publicKey: string; readonly privateKey: string } | undefined;

/** The app's key: made once per process, since making one takes a tenth of a second. */
function keyPair(): { readonly publicKey: string; readonly privateKey: string } {
  keys ??= generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return keys;
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
