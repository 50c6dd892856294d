/** What kind of a file a path is for whoever reviews a change of dependencies. */
export type FileRole = "manifest" | "lockfile" | "workflow" | "pin-file" | "other";

/** Package managers whose manifests and lockfiles are read; others are known by name only. */
export type Ecosystem = "npm" | "python";

const lockfiles =
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|poetry\.lock|uv\.lock|pdm\.lock|pipfile\.lock|cargo\.lock|go\.sum|gemfile\.lock|composer\.lock|packages\.lock\.json|gradle\.lockfile|pubspec\.lock|mix\.lock|flake\.lock|\.terraform\.lock\.hcl)$/;
const manifests =
  /^(package\.json|pyproject\.toml|setup\.cfg|pipfile|(.*[-_.])?requirements([-_.].*)?\.(txt|in)|constraints.*\.txt|cargo\.toml|go\.mod|gemfile|.*\.gemspec|composer\.json|pom\.xml|build\.gradle(\.kts)?|libs\.versions\.toml|.*\.csproj|directory\.packages\.props|pubspec\.ya?ml|mix\.exs|pnpm-workspace\.ya?ml)$/;
/** Files that name versions of tools and images, line by line. */
const pinFiles =
  /^(dockerfile.*|.*\.dockerfile|containerfile|(docker-)?compose.*\.ya?ml|\.nvmrc|\.node-version|\.python-version|\.ruby-version|\.tool-versions|\.pre-commit-config\.ya?ml|\.terraform-version|mise\.toml)$/;
const workflows = /^\.github\/(workflows|actions)\/.+\.ya?ml$|^action\.ya?ml$/;

/** The role of a file by its name. */
export function roleOf(path: string): FileRole {
  const folded = path.toLowerCase();
  const name = folded.slice(folded.lastIndexOf("/") + 1);
  if (workflows.test(folded)) return "workflow";
  if (lockfiles.test(name)) return "lockfile";
  if (manifests.test(name) || /(^|\/)requirements\/[^/]+\.(txt|in)$/.test(folded)) return "manifest";
  return pinFiles.test(name) ? "pin-file" : "other";
}

/** The folder of a path; empty for the top. */
export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** Names of Python packages are the same whatever their case and separators: https://peps.python.org/pep-0503/ */
export function normalizedName(name: string, ecosystem: Ecosystem): string {
  return ecosystem === "python" ? name.toLowerCase().replace(/[-_.]+/g, "-") : name;
}
