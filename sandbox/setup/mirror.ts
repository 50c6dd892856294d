import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { runProgram } from "./program.ts";

/** One index that apt is configured for: a site with a release and a component of it. */
export interface AptIndex {
  readonly site: string;
  /** As written in the sources list: a code name, or a suite such as `stable`. */
  readonly release: string;
  readonly component: string;
  /** Stated by the release file, empty until apt has fetched it. */
  readonly origin: string;
  readonly label: string;
}

const FORMAT = "$(SITE)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)|$(LABEL)";

/**
 * The site from which this host's apt gets Debian itself, undefined when there is none (no apt, or another distribution).
 * A company's mirror so serves the sandbox image too, whatever release the host has.
 */
export async function hostMirror(): Promise<string | undefined> {
  try {
    const args = ["indextargets", "--format", FORMAT, "Created-By: Packages"];
    const listing = await runProgram("apt-get", args, { timeoutMs: 30_000 });
    const release = parseEnv(await readFile("/etc/os-release", "utf8"));
    const codename = release["ID"] === "debian" ? release["VERSION_CODENAME"] : undefined;
    return chooseMirror(parseIndexes(listing), codename);
  } catch {
    return undefined;
  }
}

/** Reads the lines of `apt-get indextargets` in the format that `hostMirror` asks for. */
export function parseIndexes(listing: string): AptIndex[] {
  return listing
    .split("\n")
    .map((line) => line.split("|"))
    .filter((fields) => fields.length === 5)
    .map(([site = "", release = "", component = "", origin = "", label = ""]) => ({
      site,
      release,
      component,
      origin,
      label,
    }));
}

/**
 * The site that carries Debian's main archive. Release files say so (security updates are labelled `Debian-Security`); before
 * the first `apt-get update` the host's own code name has to do, which vendors' archives may use as well, so it comes second.
 */
export function chooseMirror(indexes: readonly AptIndex[], codename: string | undefined): string | undefined {
  const usable = indexes.filter(({ site, component }) => component === "main" && /^(https?|file):/.test(site));
  const stated = usable.find(({ origin, label }) => origin === "Debian" && label === "Debian");
  const guessed = usable.find(({ release, origin }) => codename !== undefined && release === codename && origin === "");
  return (stated ?? guessed)?.site;
}
