/** Characters that nobody sees, and that some file systems leave out when they compare names. */
const hidden = /[\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0]/gu;

/**
 * A path as the most lenient file system and reader would take it: compatibility forms and case folded, hidden characters, `.`
 * segments, trailing dots and trailing spaces gone, backslashes as slashes. Two paths that could be mistaken for each other fold to the same text.
 */
export function foldPath(path: string): string {
  return plainPath(path).toLowerCase();
}

/** As `foldPath`, with case kept: for conventions that depend on it, such as `FooTest.java`. */
export function plainPath(path: string): string {
  const names = path.normalize("NFKC").replace(hidden, "").replaceAll("\\", "/").split("/");
  return names
    .map((name) => (/^\.+$/.test(name) ? name : name.trim().replace(/[. ]+$/, "")))
    .filter((name) => name !== "" && name !== ".")
    .join("/");
}

/** The last segment of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
