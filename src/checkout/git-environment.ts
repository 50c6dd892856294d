import { devNull } from "node:os";

/**
 * The folders in which git is looked for. Never the caller's PATH: `npx` and `npm run` put `node_modules/.bin` of the current
 * folder in front of it, and a repository can commit a `git` there.
 */
const executablePath = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/opt/homebrew/bin",
  "/home/linuxbrew/.linuxbrew/bin",
  "/run/current-system/sw/bin",
].join(":");

/** A bare git directory of our own, and the empty folder that stands in for the user's home. */
export interface GitPlace {
  readonly gitDir: string;
  readonly home: string;
}

/** The whole environment of a git process: nothing of ours or the user's reaches it, and nothing in it can ask a person. */
export function gitEnvironment(place: GitPlace): Record<string, string> {
  return {
    PATH: executablePath,
    HOME: place.home,
    XDG_CONFIG_HOME: place.home,
    LC_ALL: "C",
    GIT_DIR: place.gitDir,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
  };
}

/**
 * Settings that go in front of every subcommand and win over any configuration file: no hook, filter, file-system monitor,
 * credential helper or transport runs, and no path or byte is translated for the platform.
 */
export function gitSettings(allowFileProtocol: boolean): string[] {
  const settings = [
    `core.hooksPath=${devNull}`,
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    `core.attributesFile=${devNull}`,
    `core.excludesFile=${devNull}`,
    "core.autocrlf=false",
    "core.ignoreCase=false",
    "core.precomposeUnicode=false",
    "core.quotePath=false",
    "core.sshCommand=false",
    "credential.helper=",
    "protocol.allow=never",
    "protocol.https.allow=always",
    `protocol.file.allow=${allowFileProtocol ? "always" : "never"}`,
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
    "fetch.fsckObjects=true",
    "gc.auto=0",
    "maintenance.auto=false",
  ];
  return settings.flatMap((setting) => ["-c", setting]);
}
