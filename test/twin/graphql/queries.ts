import { nodeObject, nodeOf } from "./nodes.ts";
import { actorObject, type GraphQlObject, repositoryObject } from "./objects.ts";
import { type Viewer, visibleRepository } from "./viewer.ts";

/** The fields of `Query`. */
export function queries(viewer: Viewer): GraphQlObject {
  return {
    repository: ({ owner, name }: { owner: string; name: string }) =>
      repositoryObject(viewer, visibleRepository(viewer, `${owner}/${name}`)),
    viewer: () => ({ ...actorObject(viewer, viewer.world.bot), __typename: "User", login: viewer.world.bot.login }),
    node: ({ id }: { id: string }) => nodeObject(viewer, nodeOf(viewer, id)),
    nodes: ({ ids }: { ids: readonly string[] }) => ids.map((id) => nodeObject(viewer, nodeOf(viewer, id))),
  };
}
