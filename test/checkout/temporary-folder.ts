import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder for one test, with the user's side of git in it. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** Writes files, making the folders above them. */
  write(files: Readonly<Record<string, string | Uint8Array>>, mode?: number): void;
  /** Makes a FIFO, from which a careless reader never comes back. */
  fifo(name: string): void;
  /** Runs git as a user would, below the folder; answers with what it prints. */
  git(...args: string[]): string;
  /** Makes a repository of the folder's files, with one commit. */
  commit(): void;
}

const user = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "user",
  GIT_AUTHOR_EMAIL: "user@example.org",
  GIT_COMMITTER_NAME: "user",
  GIT_COMMITTER_EMAIL: "user@example.org",
  LC_ALL: "C",
};

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "autolith-test-"));
  const git = (...args: string[]) => {
    const env = { PATH: process.env["PATH"], HOME: path, ...user };
    return execFileSync("git", args, { cwd: path, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  };
  return {
    path,
    write(files, mode = 0o644) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), content, { mode });
      }
    },
    fifo: (name) => void execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", join(path, name)]),
    git,
    commit() {
      git("init", "--quiet", "--initial-branch=main");
      git("add", "--all");
      git("commit", "--quiet", "--message=start");
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
