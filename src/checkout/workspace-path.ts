/** Code points that HFS+ leaves out when it compares names; git refuses `.git` written with them. Source: git's `utf8.c`. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Whether a path may stand in a tree of ours: relative, `/`-separated, without empty, `.` or `..` segments, within Linux's limits
 * for names, and no name of a git directory on any platform (`.git`, `.GIT`, `git~1`, `.git.`), which git itself refuses.
 */
export function isWorkspacePath(path: string): boolean {
  if (path === "" || !path.isWellFormed() || path.includes("\0") || Buffer.byteLength(path) > 4_000) return false;
  return path.split("/").every(isSegment);
}

/** Whether git refuses a symlink of this name, because it would read its own settings through it. */
export function isRefusedLink(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /^(\.gitmodules|gitmod~\d|gi7eba~\d)$/.test(ntfsName(name.replace(ignorable, "").toLowerCase()));
}

/** A path in quotes for messages, with line ends, terminal controls and characters that nobody sees written as escapes. */
export function quotePath(path: string): string {
  const escaped = (text: string) => Array.from(text, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`).join("");
  return JSON.stringify(path).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, escaped);
}

function isSegment(name: string): boolean {
  if (name === "" || name === "." || name === ".." || Buffer.byteLength(name) > 255) return false;
  return !name.split("\\").some(isGitDirectoryName);
}

function isGitDirectoryName(name: string): boolean {
  return /^(\.git|git~1)$/.test(ntfsName(name.replace(ignorable, "").toLowerCase()));
}

/** The name that NTFS opens: without an alternate stream, trailing dots and trailing spaces. */
function ntfsName(name: string): string {
  return name.replace(/:.*$/s, "").replace(/[. ]+$/, "");
}
