import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Names of package registries, in pieces, so that this file does not hold them itself. */
const REGISTRIES = [
  ["npm", "js.org"],
  ["npm", "js.com"],
  ["yarn", "pkg.com"],
  ["deb.", "debian.org"],
  ["ftp.", "debian.org"],
  ["security.", "debian.org"],
  ["snapshot.", "debian.org"],
  ["py", "pi.org"],
  ["python", "hosted.org"],
  ["registry-1.", "docker.io"],
  ["proxy.", "golang.org"],
  ["crates", ".io"],
  ["rubygems", ".org"],
].map((pieces) => pieces.join(""));

/** A folder of one person or machine. The exceptions are the same everywhere: GitHub's runners and Homebrew. */
const HOME = /(?<![\w.~-])\/(?:root|home\/(?!runner\b|linuxbrew\b)[a-z][\w-]*)\//;

/** All regular files that git tracks, as text. */
function trackedFiles(): { path: string; content: string }[] {
  const listing = execFileSync("git", ["ls-files", "-z", "--cached"], { cwd: root, encoding: "utf8" });
  const paths = listing.split("\0").filter((path) => lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile());
  return paths.map((path) => ({ path, content: readFileSync(join(root, path), "utf8") }));
}

test("names no package registry's host: the package managers' own settings decide", () => {
  const found = trackedFiles().flatMap(({ path, content }) =>
    REGISTRIES.filter((host) => content.toLowerCase().includes(host)).map((host) => `${path}: ${host}`),
  );
  expect(found).toEqual([]);
});

test("locks packages by content and not by the address that they came from", () => {
  const lockfile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const packages = Object.entries<{ resolved?: string; integrity?: string }>(lockfile.packages);
  const wrong = packages.filter(([path, { resolved, integrity }]) => path !== "" && (resolved || !integrity));
  expect(wrong.map(([path]) => path)).toEqual([]);
});

test("mentions no home folder of the machine that it was written on", () => {
  const found = trackedFiles().flatMap(({ path, content }) => {
    const match = HOME.exec(content);
    return match === null ? [] : [`${path}: ${match[0]}`];
  });
  expect(found).toEqual([]);
});
