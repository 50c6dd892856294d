import { expect, test } from "vitest";
import { atRegistry } from "../../src/dependencies/yarn-lock.ts";

const entry = (address: string) => `a@1:\n  version "1.0.0"\n  resolved "${address}"\n  integrity sha512-x\n`;

test.each([
  ["https://r.example.com/a/-/a-1.0.0.tgz#abc", "http://own/npm/a/-/a-1.0.0.tgz#abc"],
  ["https://r.example.com/mirror/@s/a/-/a-1.0.0.tgz", "http://own/npm/@s/a/-/a-1.0.0.tgz"],
  ["https://r.example.com/@s%2fa/-/a-1.0.0.tgz", "http://own/npm/@s%2fa/-/a-1.0.0.tgz"],
  ["https://code.example.com/x/y/tar.gz/abc", "https://code.example.com/x/y/tar.gz/abc"],
  ["git+https://code.example.com/x/y.git#abc", "git+https://code.example.com/x/y.git#abc"],
])("%s is asked for at %s", (address, wanted) => {
  expect(atRegistry(entry(address), "http://own/npm/")).toBe(entry(wanted));
});

test("nothing else of a lockfile changes, and a long hostile one takes no time", () => {
  const text = `# yarn lockfile v1\n\n  resolved "https://${"a/".repeat(50_000)}\n${entry("https://r/a/-/a-1.tgz")}`;
  const start = performance.now();
  expect(atRegistry(text, "http://o/")).toBe(text.replace("https://r/a", "http://o/a"));
  expect(performance.now() - start).toBeLessThan(2_000);
});
