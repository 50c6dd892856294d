import { join } from "node:path";
import { BareRepository } from "../git/bare-repository.ts";
import { writeCommit } from "../git/commits.ts";
import { type Files, fileChanges, readFolder } from "../git/files.ts";
import { writeTree } from "../git/objects.ts";
import { listRefs, readRef, ZERO_SHA } from "../git/refs.ts";
import type { Account, Role } from "./account.ts";
import { Branches } from "./branches.ts";
import { identityOf, MERGER } from "./commit-identity.ts";
import { fullName, type Repository } from "./repository.ts";
import type { World } from "./world.ts";

/** A repository to add. */
export interface NewRepository {
  /** Login of a user or organisation; added as an organisation when unknown. */
  readonly owner: string;
  readonly name: string;
  /** Its first commit: files by path, or the path of a folder on disk. */
  readonly files?: Files | string;
  readonly private?: boolean;
  readonly defaultBranch?: string;
  /** Logins to roles; users are added when unknown. The owner is admin anyway. */
  readonly collaborators?: Readonly<Record<string, Role>>;
  /** Whether the app is installed on the owner; true by default. */
  readonly installed?: boolean;
}

/** A commit to add to a branch. */
export interface NewBranchCommit {
  readonly branch: string;
  /** Where a branch that does not exist yet starts: a branch or SHA, by default the default branch. */
  readonly from?: string;
  readonly files: Files;
  readonly message?: string;
  readonly author?: Account;
  /** Whether GitHub made it for the author, through its API: then it is the committer, and the commit is signed. */
  readonly verified?: boolean;
}

/** The repositories, and what people do with them. */
export class Repositories {
  readonly branches: Branches;
  readonly #world: World;
  readonly #repositories = new Map<number, Repository>();

  constructor(world: World) {
    this.#world = world;
    this.branches = new Branches(world);
  }

  /** Adds a repository with one commit on its default branch, and installs the app on its owner. */
  async add(options: NewRepository): Promise<Repository> {
    const accounts = this.#world.accounts;
    const owner = accounts.byLogin(options.owner) ?? accounts.addOrganization(options.owner);
    const repository = await this.#create(owner, options, null);
    for (const [login, role] of Object.entries(options.collaborators ?? {}))
      this.permit(repository, accounts.ensure(login), role);
    if (options.installed !== false && this.#world.installations.ofAccount(owner) === undefined) {
      this.#world.installations.add(owner);
    }
    const files = typeof options.files === "string" ? await readFolder(options.files) : options.files;
    const message = "Start the project";
    await this.commit(repository, {
      branch: repository.defaultBranch,
      files: files ?? { "README.md": `# ${options.name}\n` },
      message,
    });
    return repository;
  }

  /** Forks a repository with all its branches to another account. */
  async fork(parent: Repository, login: string): Promise<Repository> {
    const owner = this.#world.accounts.ensure(login);
    const options = { owner: login, name: parent.name, private: parent.private, defaultBranch: parent.defaultBranch };
    const fork = await this.#create(owner, options, parent);
    for (const { name, sha } of await listRefs(parent.git, "refs/heads/"))
      await fork.git.run(["update-ref", name, sha]);
    return fork;
  }

  /** Commits files to a branch as a person does, pushes it, and gives the new SHA. */
  async commit(repository: Repository, commit: NewBranchCommit): Promise<string> {
    const { git } = repository;
    const before = await readRef(git, `refs/heads/${commit.branch}`);
    const parent = before ?? (await this.branches.resolve(repository, commit.from ?? repository.defaultBranch)) ?? null;
    const author = commit.author ?? repository.owner;
    const tree = await writeTree(git, parent, await fileChanges(git, commit.files));
    const signature = { ...identityOf(author), date: this.#world.clock.iso() };
    const message = commit.message ?? "Change some files";
    const parents = parent === null ? [] : [parent];
    const committer = commit.verified === true ? { ...MERGER, date: signature.date } : signature;
    const sha = await writeCommit(git, { tree, parents, author: signature, committer, message });
    if (commit.verified === true) repository.verifiedCommits.add(sha);
    await this.branches.move(repository, commit.branch, before ?? ZERO_SHA, sha, author);
    return sha;
  }

  /** Gives a user a role in a repository. */
  permit(repository: Repository, user: Account, role: Role): void {
    repository.collaborators.set(user.id, role);
  }

  /** The role of a user: of whoever was never permitted, `read` in a public repository and `none` in a private one. */
  roleOf(repository: Repository, user: Account): Role {
    if (user.id === repository.owner.id) return "admin";
    return repository.collaborators.get(user.id) ?? (repository.private ? "none" : "read");
  }

  /** Renames a repository; requests by the old name are redirected from then on. */
  rename(repository: Repository, name: string): void {
    repository.formerNames.push(fullName(repository).toLowerCase());
    repository.name = name;
  }

  /** Deletes a repository; pull requests from it stay, without a head repository. */
  delete(repository: Repository): void {
    repository.deleted = true;
    for (const pull of this.#world.pulls.withHeadIn(repository)) pull.pull.head.repository = null;
  }

  /** All repositories that were not deleted. */
  all(): Repository[] {
    return [...this.#repositories.values()].filter((repository) => !repository.deleted);
  }

  async #create(owner: Account, options: NewRepository, parent: Repository | null): Promise<Repository> {
    const id = this.#world.nextId();
    const defaultBranch = options.defaultBranch ?? "main";
    const git = await BareRepository.create(
      join(this.#world.options.directory, `${id}.git`),
      defaultBranch,
      parent?.git,
    );
    const createdAt = this.#world.clock.iso();
    const repository: Repository = {
      id,
      owner,
      name: options.name,
      formerNames: [],
      private: options.private ?? true,
      defaultBranch,
      parent,
      archived: false,
      deleted: false,
      git,
      collaborators: new Map(),
      createdAt,
      pushedAt: createdAt,
      issues: new Map(),
      labels: new Map(),
      suites: new Map(),
      checkRuns: new Map(),
      statuses: [],
      workflows: new Map(),
      workflowRuns: new Map(),
      activity: [],
      verifiedCommits: new Set(),
    };
    this.#repositories.set(id, repository);
    return repository;
  }
}
