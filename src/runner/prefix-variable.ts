/**
 * Puts our part before the value of an environment variable: in the environment, and wherever a shell text gives the
 * variable a value of its own (`PYTHONPATH=src pytest`), which would otherwise shut our plugins out.
 */
export function prefixVariable(
  { shell, env }: { readonly shell: string; readonly env: Readonly<Record<string, string>> },
  name: string,
  { prefix, separator }: { readonly prefix: string; readonly separator: string },
): { shell: string; env: Record<string, string> } {
  const old = env[name] ?? "";
  const value = old === "" ? prefix : `${prefix}${separator}${old}`;
  // A word may be glued together from quoted and unquoted parts, so this holds for `NAME=x`, `NAME="x"` and `NAME='x'`.
  const assignment = new RegExp(`(?<=^|[\\s;&|(])${name}=`, "g");
  const escaped = `${prefix}${separator}`.replaceAll(/[^\w@%+=:,./-]/g, "\\$&");
  return { shell: shell.replaceAll(assignment, `${name}=${escaped}`), env: { ...env, [name]: value } };
}
