import { readCommit } from "../git/commits.ts";
import { listRefs, readRef } from "../git/refs.ts";
import { type Answer, found } from "../http/answer.ts";
import type { Call, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { userJson } from "../json/accounts.ts";
import { commitJson } from "../json/git.ts";
import { nodeId } from "../json/node-id.ts";
import { fullRepositoryJson, repositoryPage, repositoryUrl } from "../json/repositories.ts";
import type { Activity } from "../world/repository.ts";

/** Repositories, their branches and what happened to those. */
export const repositoryRoutes: readonly Route[] = [
  {
    on: "GET /repos/{owner}/{repo}",
    needs: "metadata:read",
    answer: ({ world, repository }) => ({ status: 200, body: fullRepositoryJson(world, repository) }),
  },
  { on: "GET /repos/{owner}/{repo}/branches", needs: "contents:read", answer: listBranches },
  { on: "GET /repos/{owner}/{repo}/branches/{branch}", needs: "contents:read", answer: getBranch },
  { on: "GET /repos/{owner}/{repo}/activity", needs: "contents:read", answer: listActivity },
];

async function listBranches(call: Call): Promise<Answer> {
  const refs = await listRefs(call.repository.git, "refs/heads/");
  return page(call, refs, ({ name, sha }) => ({
    name: name.slice("refs/heads/".length),
    commit: { sha, url: `${repositoryUrl(call.world, call.repository)}/commits/${sha}` },
    protected: false,
  }));
}

async function getBranch(call: Call): Promise<Answer> {
  const { world, repository } = call;
  const name = call.parameter("branch");
  const sha = found(await readRef(repository.git, `refs/heads/${name}`));
  const commit = await readCommit(repository.git, sha);
  const self = `${repositoryUrl(world, repository)}/branches/${name}`;
  return {
    status: 200,
    body: {
      name,
      commit: commitJson(world, repository, commit),
      _links: { self, html: `${repositoryPage(world, repository)}/tree/${name}` },
      protected: false,
      protection: { enabled: false, required_status_checks: { enforcement_level: "off", contexts: [], checks: [] } },
      protection_url: `${self}/protection`,
    },
  };
}

function listActivity(call: Call): Answer {
  const { world, repository, query } = call;
  const ref = query["ref"] === undefined ? undefined : String(query["ref"]).replace(/^(?!refs\/)/, "refs/heads/");
  const wanted = repository.activity.filter(
    (activity) =>
      (ref === undefined || activity.ref === ref) && (query["activity_type"] ?? activity.type) === activity.type,
  );
  const sorted = query["direction"] === "asc" ? wanted.toReversed() : wanted;
  return page(call, sorted, (activity: Activity) => ({
    id: activity.id,
    node_id: nodeId("PSH", activity.id),
    before: activity.before,
    after: activity.after,
    ref: activity.ref,
    timestamp: activity.at,
    activity_type: activity.type,
    actor: userJson(world, activity.actor),
  }));
}
