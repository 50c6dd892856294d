import { readBlob, readEntry, readTree, type TreeEntry } from "../git/objects.ts";
import { resolveCommit } from "../git/refs.ts";
import { type Answer, ApiError, found } from "../http/answer.ts";
import type { Call, Route } from "../http/call.ts";
import type { Json } from "../json/accounts.ts";
import { repositoryPage, repositoryUrl } from "../json/repositories.ts";

/** Files and folders, at a branch, tag or commit. */
export const contentRoutes: readonly Route[] = [
  { on: "GET /repos/{owner}/{repo}/contents/{path}", needs: "contents:read", answer: getContent },
];

async function getContent(call: Call): Promise<Answer> {
  const { repository } = call;
  const ref = String(call.query["ref"] ?? repository.defaultBranch);
  const path = call.parameter("path").replace(/^\/+|\/+$/g, "");
  const commit = await resolveCommit(repository.git, ref);
  if (commit === undefined) throw new ApiError(404, `No commit found for the ref ${ref}`);
  const entry = found(await readEntry(repository.git, commit, path));
  if (entry.type === "tree") return { status: 200, body: await listFolder(call, commit, ref, path) };
  const data = found(await readBlob(repository.git, entry.sha));
  if (/\bapplication\/vnd\.github(\.v3)?\.raw\b/.test(call.accept)) {
    return { status: 200, raw: { type: "application/vnd.github.raw; charset=utf-8", data } };
  }
  const content = data.toString("base64").replace(/.{60}/g, "$&\n");
  return { status: 200, body: { ...entryJson(call, entry, ref, path), content: `${content}\n`, encoding: "base64" } };
}

async function listFolder(call: Call, commit: string, ref: string, folder: string): Promise<Json[]> {
  const entries = await readTree(call.repository.git, folder === "" ? commit : `${commit}:${folder}`, false);
  return entries.map((entry) => entryJson(call, entry, ref, folder === "" ? entry.path : `${folder}/${entry.path}`));
}

function entryJson(call: Call, entry: TreeEntry, ref: string, path: string): Json {
  const { world, repository } = call;
  const api = repositoryUrl(world, repository);
  const page = repositoryPage(world, repository);
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const folder = entry.type === "tree";
  const self = `${api}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const git = `${api}/git/${folder ? "trees" : "blobs"}/${entry.sha}`;
  const html = `${page}/${folder ? "tree" : "blob"}/${ref}/${encoded}`;
  return {
    name: path.split("/").at(-1) ?? path,
    path,
    sha: entry.sha,
    size: entry.size ?? 0,
    url: self,
    html_url: html,
    git_url: git,
    download_url: folder ? null : `${page}/raw/${ref}/${encoded}`,
    type: folder ? "dir" : entry.mode === "120000" ? "symlink" : entry.type === "commit" ? "submodule" : "file",
    _links: { self, git, html },
  };
}
