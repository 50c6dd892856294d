/**
 * A path that the model sent, as the workspace knows it: relative, `/`-separated, without `.` segments. `/work/…` is accepted, since
 * tracebacks show it. Null when it leads out of the workspace, into `.git`, or is no path at all.
 */
export function normalizePath(path: string): string | null {
  if (path.includes("\0") || path.includes("\\")) return null;
  const relative = path.trim().replace(/^\/work\//, "");
  if (relative.startsWith("/")) return null;
  const segments = relative.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0 || segments.includes("..")) return null;
  if (segments.some((segment) => segment.toLowerCase() === ".git")) return null;
  return segments.join("/");
}
