import { readFileSync } from "node:fs";

/** Settings of one section by name; `""` holds what stands before the first section. A name that is given twice has its last value. */
export type SettingsFile = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads an ini file, as npm and pip write them; a file that cannot be read has no settings. */
export function readSettingsFile(path: string): SettingsFile {
  const sections = new Map<string, Map<string, string>>();
  let current = sectionOf(sections, "");
  let last: string | null = null;
  for (const line of textOf(path).split(/\r?\n/)) {
    const header = /^\s*\[([^\]]*)\]\s*$/.exec(line)?.[1];
    const [, name, value = ""] = /^([^\s=;#][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (header !== undefined) {
      current = sectionOf(sections, header);
      last = null;
    } else if (name !== undefined) {
      current.set(name, value.replace(/^(["'])(.*)\1$/, "$2"));
      last = name;
    } else if (last !== null && /^\s+[^\s;#]/.test(line)) {
      // A value that goes on in the next line.
      current.set(last, `${current.get(last) ?? ""} ${line.trim()}`.trim());
    }
  }
  return sections;
}

function sectionOf(sections: Map<string, Map<string, string>>, name: string): Map<string, string> {
  const known = sections.get(name) ?? new Map<string, string>();
  sections.set(name, known);
  return known;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
