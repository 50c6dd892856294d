import { runGit } from "./git.ts";
import type { ObjectStore } from "./object-store.ts";
import { type Checkout, checkoutOfTree } from "./snapshot.ts";

export interface FetchCommitOptions {
  /** Address of the repository, without credentials. */
  readonly url: string;
  /** Full id of the commit; never a name, which may have moved. */
  readonly sha: string;
  /** A token that can read contents; it reaches git by its environment only. */
  readonly token: string;
}

const fetchMs = 300_000;

/**
 * Fetches one commit of a repository into the store and gives its checkout. Nothing is checked out to disk: the tree is read as blobs,
 * so that no attribute, filter or hook of the repository touches a byte. Submodules and large-file content stay away.
 */
export async function fetchCommit(
  options: FetchCommitOptions,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<Checkout> {
  const { url, sha, token } = options;
  const credentials = Buffer.from(`x-access-token:${token}`).toString("base64");
  const environment = {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}`,
  };
  // A redirect could lead to another host, and the header would go along. Plain http is for servers that are configured so.
  const settings = ["http.followRedirects=false", ...(url.startsWith("http://") ? ["protocol.http.allow=always"] : [])];
  const args = [
    "fetch",
    "--quiet",
    "--depth=1",
    "--no-tags",
    "--no-recurse-submodules",
    "--no-write-fetch-head",
    url,
    sha,
  ];
  await runGit(store.place, args, { environment, settings, timeoutMs: fetchMs }, signal);
  const { stdout } = await runGit(store.place, ["rev-parse", "--verify", `${sha}^{tree}`], {}, signal);
  return checkoutOfTree(store, stdout.toString("latin1").trim(), signal);
}
