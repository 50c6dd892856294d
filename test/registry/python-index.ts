import { createHash } from "node:crypto";
import type { Answer } from "./registry.ts";
import { tarball } from "./tarball.ts";
import { zip } from "./zip.ts";

/** A version of a Python package. A wheel, or with `source` an archive that has to be built. */
export interface PythonPackage {
  readonly name: string;
  readonly version: string;
  readonly requires?: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly source?: boolean;
}

/** An index of Python packages (PEP 503) whose wheels (PEP 427) and source archives are made on the fly. */
export class PythonIndex {
  readonly #files = new Map<string, Map<string, Buffer>>();

  constructor(packages: readonly PythonPackage[]) {
    for (const each of packages) this.publish(each);
  }

  /** Adds a version. */
  publish(each: PythonPackage): void {
    const name = normal(each.name);
    const files = this.#files.get(name) ?? new Map<string, Buffer>();
    const stem = `${name.replaceAll("-", "_")}-${each.version}`;
    if (each.source) files.set(`${stem}.tar.gz`, sourceArchive(each, stem));
    else files.set(`${stem}-py3-none-any.whl`, wheel(each, stem));
    this.#files.set(name, files);
  }

  /** The answer to a request for a path below the index. */
  answer(path: string): Answer | null {
    const [, name, file] = /^\/simple\/([^/]+)\/(?:([^/]+))?$/.exec(path) ?? [];
    const files = this.#files.get(name ?? "");
    if (files === undefined) return null;
    if (file === undefined) return { type: "text/html", body: [...files].map(link).join("\n") };
    const body = files.get(file);
    return body === undefined ? null : { type: "application/octet-stream", body };
  }
}

function link([name, content]: readonly [string, Buffer]): string {
  return `<a href="${name}#sha256=${createHash("sha256").update(content).digest("hex")}">${name}</a><br>`;
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

function wheel({ name, version, requires = [], files }: PythonPackage, stem: string): Buffer {
  const info = `${stem}.dist-info`;
  const all: Record<string, string> = {
    ...files,
    [`${info}/METADATA`]: metadata({ name, version, requires }),
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
  };
  const record = [...Object.keys(all), `${info}/RECORD`].map((path) => `${path},,\n`).join("");
  return zip({ ...all, [`${info}/RECORD`]: record });
}

function metadata({ name, version, requires }: { name: string; version: string; requires: readonly string[] }): string {
  const needs = requires.map((each) => `Requires-Dist: ${each}\n`).join("");
  return `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${needs}`;
}

/** A project with a build backend of its own, which needs nothing from an index. */
function sourceArchive({ name, version, requires = [], files }: PythonPackage, stem: string): Buffer {
  const info = metadata({ name, version, requires });
  const own = {
    ...files,
    "pyproject.toml": manifest,
    "backend.py": backend(stem, info, Object.keys(files)),
    "PKG-INFO": info,
  };
  return tarball(Object.fromEntries(Object.entries(own).map(([path, text]) => [`${stem}/${path}`, text])));
}

const manifest = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n';

function backend(stem: string, info: string, files: readonly string[]): string {
  return `import os, zipfile
def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = "${stem}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as archive:
        for path in ${JSON.stringify(files)}:
            archive.write(path)
        archive.writestr("${stem}.dist-info/METADATA", ${JSON.stringify(info)})
        archive.writestr("${stem}.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        archive.writestr("${stem}.dist-info/RECORD", "")
    return name
`;
}
