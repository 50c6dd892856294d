import { readRef } from "../git/refs.ts";
import { readNodeId } from "../json/node-id.ts";
import type { Comment, Issue, PullIssue, Review } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import { unresolved } from "./graphql-error.ts";
import { commentObject, type GraphQlObject, issueObject, pullObject, refObject, repositoryObject } from "./objects.ts";
import { reviewObject } from "./reviews.ts";
import { demand, type Viewer } from "./viewer.ts";

/** What a global id stands for. */
export type Node =
  | { readonly kind: "repository"; readonly repository: Repository }
  | { readonly kind: "ref"; readonly repository: Repository; readonly name: string }
  | { readonly kind: "issue"; readonly repository: Repository; readonly issue: Issue }
  | { readonly kind: "pull"; readonly repository: Repository; readonly issue: PullIssue }
  | { readonly kind: "comment"; readonly repository: Repository; readonly comment: Comment }
  | { readonly kind: "review"; readonly repository: Repository; readonly issue: PullIssue; readonly review: Review };

/** The node of a global id, in a repository that the viewer's token reaches. @throws TypedError NOT_FOUND */
export function nodeOf(viewer: Viewer, id: string): Node {
  const reachable = viewer.world.repositories
    .all()
    .filter((repository) => viewer.world.tokens.reaches(viewer.token, repository));
  for (const repository of reachable) {
    const node = nodeIn(viewer, repository, id);
    if (node !== undefined) return node;
  }
  throw unresolved(`a node with the global id of '${id}'`);
}

function nodeIn(viewer: Viewer, repository: Repository, id: string): Node | undefined {
  const read = readNodeId(id);
  const number = Number(read?.id);
  const issues = [...repository.issues.values()];
  switch (read?.kind) {
    case "R":
      return repository.id === number ? { kind: "repository", repository } : undefined;
    case "REF": {
      const [owner, name = ""] = read.id.split(/:(.*)/s);
      return owner === String(repository.id) ? { kind: "ref", repository, name } : undefined;
    }
    case "I": {
      const issue = issues.find((candidate) => candidate.id === number);
      return issue === undefined ? undefined : { kind: "issue", repository, issue };
    }
    case "PR": {
      const issue = viewer.world.pulls.of(repository).find(({ pull }) => pull.id === number);
      return issue === undefined ? undefined : { kind: "pull", repository, issue };
    }
    case "IC": {
      const comment = viewer.world.issues.findComment(repository, number);
      return comment === undefined ? undefined : { kind: "comment", repository, comment };
    }
    case "PRR": {
      for (const issue of viewer.world.pulls.of(repository)) {
        const review = issue.pull.reviews.find((candidate) => candidate.id === number);
        if (review !== undefined) return { kind: "review", repository, issue, review };
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

/** The object of a node, when the viewer may read it. */
export async function nodeObject(viewer: Viewer, node: Node): Promise<GraphQlObject> {
  const { repository } = node;
  switch (node.kind) {
    case "repository":
      return repositoryObject(viewer, repository);
    case "ref": {
      demand(viewer, repository, "contents:read");
      const sha = await readRef(repository.git, node.name);
      if (sha === undefined) throw unresolved(`a node with the global id of '${node.name}'`);
      return refObject(viewer, repository, { name: node.name, sha });
    }
    case "issue":
      demand(viewer, repository, "issues:read");
      return issueObject(viewer, node.issue);
    case "pull":
      demand(viewer, repository, "pull_requests:read");
      return pullObject(viewer, node.issue);
    case "comment":
      demand(viewer, repository, "issues:read", "pull_requests:read");
      return commentObject(viewer, node.comment);
    case "review":
      demand(viewer, repository, "pull_requests:read");
      return reviewObject(viewer, node.issue, node.review);
  }
}
