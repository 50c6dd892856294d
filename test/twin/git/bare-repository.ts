import { spawn } from "node:child_process";
import { appendFile, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";

/** What git needs from the environment; nothing of the user's configuration reaches it. */
export const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  HOME: "/nonexistent",
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/** As GitHub serves: any object by its SHA, partial clones allowed; and no background work in a test. */
const SETTINGS = `[uploadpack]
\tallowAnySHA1InWant = true
\tallowReachableSHA1InWant = true
\tallowFilter = true
[gc]
\tauto = 0
`;

/** git ended with a status other than 0. */
class GitFailure extends Error {
  readonly status: number | null;

  constructor(args: readonly string[], status: number | null, stderr: string) {
    super(`git ${args.join(" ")} ended with ${status}: ${stderr.trim()}`);
    this.status = status;
  }
}

/** How to run one git command. */
export interface GitOptions {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/** A bare repository on disk, and the git commands on it. */
export class BareRepository {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /**
   * Creates one. `network` is the repository that it is a fork of: they share one object store, so a commit of any of
   * them can be fetched by its SHA from all of them, as on GitHub.
   */
  static async create(directory: string, defaultBranch: string, network?: BareRepository): Promise<BareRepository> {
    await mkdir(directory, { recursive: true });
    const repository = new BareRepository(directory);
    await repository.run(["init", "--quiet", "--bare", "--template=", `--initial-branch=${defaultBranch}`]);
    await appendFile(join(directory, "config"), SETTINGS);
    if (network !== undefined) {
      await rm(join(directory, "objects"), { recursive: true });
      await symlink(join(network.directory, "objects"), join(directory, "objects"));
    }
    return repository;
  }

  /** Runs git here and gives its standard output. @throws Error */
  run(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const git = spawn("git", args, { cwd: this.directory, env: { ...GIT_ENVIRONMENT, ...options.env } });
      const stdout: Buffer[] = [];
      const stderr: Buffer[] = [];
      git.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
      git.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
      // A command that does not read its input closes the pipe early; its exit status says whether that was wrong.
      git.stdin.on("error", () => undefined);
      git.on("error", reject);
      git.on("close", (status) => {
        if (status === 0) resolve(Buffer.concat(stdout));
        else reject(new GitFailure(args, status, Buffer.concat(stderr).toString()));
      });
      git.stdin.end(options.input ?? "");
    });
  }

  /** Like `run`, as text without the last line break. */
  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return (await this.run(args, options)).toString("utf8").replace(/\n$/, "");
  }

  /** Like `text`, with undefined when git fails. */
  async tryText(args: readonly string[], options: GitOptions = {}): Promise<string | undefined> {
    try {
      return await this.text(args, options);
    } catch (error) {
      if (error instanceof GitFailure) return undefined;
      throw error;
    }
  }
}
