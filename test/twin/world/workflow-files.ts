/** Whether a change needs the `workflows` permission, which Autolith does not have. */
export function touchesWorkflows(paths: readonly string[]): boolean {
  return paths.some((path) => path.startsWith(".github/workflows/"));
}
