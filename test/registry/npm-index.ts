import { createHash } from "node:crypto";
import type { Answer } from "./registry.ts";
import { tarball } from "./tarball.ts";

/** A version of a package; its manifest gets name and version by itself. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
}

interface Published {
  readonly manifest: Record<string, unknown>;
  readonly archive: Buffer;
  readonly integrity: string;
}

/** npm packages and their answers, made on the fly: https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
export class NpmIndex {
  readonly #url: string;
  readonly #packages = new Map<string, Map<string, Published>>();

  constructor(url: string, packages: readonly NpmPackage[]) {
    this.#url = url;
    for (const each of packages) this.publish(each);
  }

  /** Adds a version. */
  publish({ name, version, manifest = {}, files = {} }: NpmPackage): void {
    const whole = { name, version, ...manifest };
    const archive = tarball({ "package/package.json": JSON.stringify(whole), ...below("package", files) });
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    const versions = this.#packages.get(name) ?? new Map<string, Published>();
    this.#packages.set(name, versions.set(version, { manifest: whole, archive, integrity }));
  }

  /** The hash of a version's archive, as lockfiles hold it. */
  integrity(name: string, version: string): string {
    return this.#published(name, version).integrity;
  }

  /** The address of a version's archive. */
  archive(name: string, version: string): string {
    return `${this.#url}${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
  }

  /**
   * A `package-lock.json` for a manifest whose dependencies, exact ones, need nothing further. It names no address of a
   * package, as when npm is set to `omit-lockfile-registry-resolved`: then the install asks its own registry.
   */
  lockfile(manifest: Readonly<Record<string, unknown>>): string {
    const { dependencies = {}, devDependencies = {} } = manifest as Record<string, Record<string, string> | undefined>;
    const entries = Object.entries({ ...dependencies, ...devDependencies }).map(([name, version]) => {
      const { integrity, manifest: own } = this.#published(name, version);
      const hasScript = ["preinstall", "install", "postinstall"].some(
        (each) => each in ((own["scripts"] ?? {}) as object),
      );
      return [`node_modules/${name}`, { version, integrity, ...(hasScript && { hasInstallScript: true }) }];
    });
    const { name, version } = manifest;
    const packages = { "": manifest, ...Object.fromEntries(entries) };
    return JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages });
  }

  /** The answer to a request for a path. */
  answer(path: string): Answer | null {
    const [, name = "", file] = /^\/npm\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+))?$/.exec(path) ?? [];
    const versions = this.#packages.get(name);
    if (versions === undefined) return null;
    if (file === undefined) return { type: "application/json", body: JSON.stringify(this.#document(name, versions)) };
    const found = [...versions].find(([version]) => this.archive(name, version).endsWith(`/${file}`));
    return found === undefined ? null : { type: "application/octet-stream", body: found[1].archive };
  }

  #document(name: string, versions: ReadonlyMap<string, Published>): object {
    const all = [...versions].map(([version, { manifest, integrity }]) => {
      const dist = { tarball: this.archive(name, version), integrity };
      return [version, { ...manifest, dist }];
    });
    return { name, "dist-tags": { latest: [...versions.keys()].at(-1) }, versions: Object.fromEntries(all) };
  }

  #published(name: string, version: string): Published {
    const found = this.#packages.get(name)?.get(version);
    if (found === undefined) throw new Error(`${name}@${version} was not published`);
    return found;
  }
}

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}
