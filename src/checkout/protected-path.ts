import { baseName, foldPath } from "./fold-path.ts";
import { isTestConfigurationPath, isTestPath } from "./test-path.ts";

/** Why no patch may touch a path. */
export interface Protection {
  readonly rule: string;
  /** Tells the model what to do instead. */
  readonly message: string;
}

interface Area extends Protection {
  /** `path` and `name` are folded; `original` is as it was given. */
  readonly covers: (path: string, name: string, original: string) => boolean;
}

const ciFiles =
  /^(\.github\/(workflows|actions)\/|\.circleci\/|\.buildkite\/|\.woodpecker|\.semaphore\/|\.teamcity\/|\.azure-pipelines\/|\.gitlab\/ci\/|\.gitea\/workflows\/|\.forgejo\/workflows\/)/;
const ciNames =
  /^(\.gitlab-ci\b.*|jenkinsfile.*|azure-pipelines.*|\.travis\.ya?ml|\.appveyor\.ya?ml|appveyor\.ya?ml|\.cirrus\.(ya?ml|star)|\.drone\.(ya?ml|star|jsonnet)|bitbucket-pipelines\.ya?ml|buildkite\.ya?ml|cloudbuild\.ya?ml|\.woodpecker\.ya?ml)$/;
const dependencyFolders =
  /(^|\/)(node_modules|site-packages|dist-packages|\.venv|venv|\.tox|\.nox|\.yarn|\.pnpm-store|__pypackages__|__pycache__)(\/|$)/;
const startUpFiles = /^(sitecustomize\.py|usercustomize\.py|.*\.pth|.*\.py[co])$/;
const installSettings =
  /^(\.npmrc|\.yarnrc|\.yarnrc\.ya?ml|\.pnpmfile\.[cm]?js|\.pnp\.[cm]?js|\.pnp\.loader\.mjs|pip\.conf|pip\.ini|\.node-options)$/;

/** Areas in the order in which they are looked at. */
const areas: readonly Area[] = [
  {
    rule: "edits-test-configuration",
    message: "the configuration of the tests stays as it is; repair the code that the tests run",
    covers: (_path, _name, original) => isTestConfigurationPath(original),
  },
  {
    rule: "edits-autolith-configuration",
    message: "Autolith's own configuration is no part of a repair; leave it as it is",
    covers: (path) => /^\.github\/autolith\.ya?ml$/.test(path),
  },
  {
    rule: "edits-ci",
    message: "CI files are no part of a repair; repair the code that CI runs",
    covers: (path, name) => ciFiles.test(path) || ciNames.test(name),
  },
  {
    rule: "edits-git-settings",
    message: "git's own settings are no part of a repair; leave them as they are",
    covers: (_path, name) => name === ".gitattributes" || name === ".gitmodules",
  },
  {
    rule: "edits-dependencies",
    message: "installed packages are not part of the repository; repair the repository's own code",
    covers: (path) => dependencyFolders.test(path),
  },
  {
    rule: "edits-start-up",
    message: "files that an interpreter or a package manager loads by itself are no part of a repair; repair the code",
    covers: (_path, name) => startUpFiles.test(name) || installSettings.test(name),
  },
  {
    rule: "edits-test",
    message:
      "tests, fixtures and snapshots are the specification; repair the code that they test, and add no test file",
    covers: (_path, _name, original) => isTestPath(original),
  },
];

/** The protection that covers a path by its name alone, however it is spelled; null when there is none. */
export function protectionOf(path: string): Protection | null {
  const folded = foldPath(path);
  const area = areas.find(({ covers }) => covers(folded, baseName(folded), path));
  return area === undefined ? null : { rule: area.rule, message: area.message };
}
