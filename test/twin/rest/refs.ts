import { objectType } from "../git/objects.ts";
import { isAncestor, isBranchName, listRefs, readRef, ZERO_SHA } from "../git/refs.ts";
import { type Answer, ApiError, found } from "../http/answer.ts";
import type { Call, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { refJson } from "../json/git.ts";

/** Refs; only branches can be changed, which is all that Autolith may touch. */
export const refRoutes: readonly Route[] = [
  { on: "GET /repos/{owner}/{repo}/git/ref/{ref}", needs: "contents:read", answer: getRef },
  { on: "GET /repos/{owner}/{repo}/git/matching-refs/{ref}", needs: "contents:read", answer: matchingRefs },
  { on: "POST /repos/{owner}/{repo}/git/refs", needs: "contents:write", answer: createRef },
  { on: "PATCH /repos/{owner}/{repo}/git/refs/{ref}", needs: "contents:write", answer: updateRef },
  { on: "DELETE /repos/{owner}/{repo}/git/refs/{ref}", needs: "contents:write", answer: deleteRef },
];

async function getRef(call: Call): Promise<Answer> {
  const name = `refs/${call.parameter("ref")}`;
  const sha = found(await readRef(call.repository.git, name));
  return { status: 200, body: refJson(call.world, call.repository, { name, sha }) };
}

async function matchingRefs(call: Call): Promise<Answer> {
  const refs = await listRefs(call.repository.git, `refs/${call.parameter("ref")}`);
  return page(call, refs, (ref) => refJson(call.world, call.repository, ref));
}

async function createRef(call: Call): Promise<Answer> {
  const { ref, sha } = call.input<"git", "createRef">();
  const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
  if (branch === undefined || !(await isBranchName(call.repository.git, branch))) {
    throw new ApiError(
      422,
      "Reference name must start with 'refs/' and contain at least three slash-separated components.",
    );
  }
  if ((await objectType(call.repository.git, sha)) !== "commit") throw new ApiError(422, "Object does not exist");
  const { branches } = call.world.repositories;
  if (!(await branches.move(call.repository, branch, ZERO_SHA, sha, call.actor)))
    throw new ApiError(422, "Reference already exists");
  return { status: 201, body: refJson(call.world, call.repository, { name: ref, sha }) };
}

async function updateRef(call: Call): Promise<Answer> {
  const { sha, force } = call.input<"git", "updateRef">();
  const { name, branch, before } = await existing(call);
  const { git } = call.repository;
  if ((await objectType(git, sha)) !== "commit") throw new ApiError(422, "Object does not exist");
  if (force !== true && !(await isAncestor(git, before, sha))) throw new ApiError(422, "Update is not a fast forward");
  const moved = await call.world.repositories.branches.move(call.repository, branch, before, sha, call.actor);
  if (!moved) throw new ApiError(422, "Reference cannot be updated");
  return { status: 200, body: refJson(call.world, call.repository, { name, sha }) };
}

async function deleteRef(call: Call): Promise<Answer> {
  const { branch, before } = await existing(call);
  await call.world.repositories.branches.move(call.repository, branch, before, ZERO_SHA, call.actor);
  return { status: 204 };
}

async function existing(call: Call): Promise<{ name: string; branch: string; before: string }> {
  const branch = /^heads\/(.+)$/.exec(call.parameter("ref"))?.[1] ?? "";
  const name = `refs/heads/${branch}`;
  const before = await readRef(call.repository.git, name);
  if (before === undefined) throw new ApiError(422, "Reference does not exist");
  return { name, branch, before };
}
