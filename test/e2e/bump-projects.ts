import type { NpmPackage } from "../registry/npm-index.ts";
import type { PythonPackage } from "../registry/python-index.ts";
import type { Registry } from "../registry/registry.ts";

type Files = Readonly<Record<string, string>>;

const oldPad = "export default function pad(text, width) {\n  return String(text).padStart(width);\n}\n";
const newPad = "export default function pad(text, { width }) {\n  return String(text).padStart(width);\n}\n";
const manifest = { type: "module", exports: "./index.js" };

/** Versions of a small package: 1.1.0 is like 1.0.0, and 2.0.0 takes its options as an object. */
export const padVersions: readonly NpmPackage[] = [
  { name: "pad", version: "1.0.0", manifest, files: { "index.js": oldPad } },
  { name: "pad", version: "1.1.0", manifest, files: { "index.js": oldPad } },
  { name: "pad", version: "2.0.0", manifest, files: { "index.js": newPad } },
];

/** Manifest and lockfile of a shop that asks for a version of it. */
export function asksFor(registry: Registry, version: string): Files {
  const whole = {
    name: "shop",
    version: "1.0.0",
    type: "module",
    scripts: { test: "node --test" },
    dependencies: { pad: version },
  };
  return {
    "package.json": `${JSON.stringify(whole, null, 2)}\n`,
    "package-lock.json": `${JSON.stringify(JSON.parse(registry.npm.lockfile(whole)), null, 2)}\n`,
  };
}

/** Code and tests of the shop: it prints prices in columns. */
export const shopCode: Files = {
  "src/receipt.js":
    'import pad from "pad";\n\nexport function line(name, price) {\n  return name + " " + pad(price.toFixed(2), 8);\n}\n\nexport function total(prices) {\n  return prices.reduce((sum, price) => sum + price, 0);\n}\n',
  "test/receipt.test.js":
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { line, total } from "../src/receipt.js";\n\ntest("aligns prices", () => {\n  assert.equal(line("tea", 2.5), "tea     2.50");\n});\n\ntest("adds prices", () => {\n  assert.equal(total([1, 2, 3]), 6);\n});\n',
};

const slug = (separator: string) =>
  `def slugify(text):\n    """A text as part of an address."""\n    return ${JSON.stringify(separator)}.join(text.lower().split())\n`;

/** Two versions of a Python package that is imported under another name than its own. */
export const slugVersions: readonly PythonPackage[] = [
  { name: "simple-slugs", version: "1.0", files: { "slugs.py": slug("-") } },
  { name: "simple-slugs", version: "2.0", files: { "slugs.py": slug("_") } },
];

/** A Python project that uses it. */
export const blog: Files = {
  "requirements.txt": "simple-slugs==1.0\n",
  "pyproject.toml": '[project]\nname = "blog"\nversion = "1.0"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
  "blog.py":
    'import slugs\n\n\ndef address(title):\n    """Where an article is found."""\n    return "/" + slugs.slugify(title)\n',
  "test_blog.py":
    'from blog import address\n\n\ndef test_address():\n    assert address("A First Word") == "/a-first-word"\n',
};
