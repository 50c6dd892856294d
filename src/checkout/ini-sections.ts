/**
 * The sections of an INI file (setup.cfg and its like) by name, each as its lines without comments and blank lines. Several sections
 * of one name are joined. Null when something other than comments stands before the first section: no reader takes such a file.
 * A header in column 0 ends a section. An indented one is taken for a header only where `isSection` wants its name, since
 * readers differ on whether it is a header or goes on with the value above it.
 */
export function iniSections(
  text: string,
  isSection: (name: string) => boolean,
): ReadonlyMap<string, readonly string[]> | null {
  const sections = new Map<string, string[]>();
  let current: string[] | null = null;
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const header = /^(\s*)\[([^\]]*)\]/.exec(line);
    const name = header?.[2]?.trim() ?? "";
    if (header !== null && (header[1] === "" || isSection(name))) {
      current = sections.get(name) ?? [];
      sections.set(name, current);
    } else if (current === null) {
      return null;
    } else {
      current.push(line.trimEnd());
    }
  }
  return sections;
}
