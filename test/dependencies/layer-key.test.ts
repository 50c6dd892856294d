import { expect, test } from "vitest";
import type { InstallPlan } from "../../src/dependencies/install-plan.ts";
import { type LayerKeyParts, layerKey } from "../../src/dependencies/layer-key.ts";

const plan: InstallPlan = {
  ...{ manager: "npm", files: ["package-lock.json"], ownCode: false, notes: [] },
  steps: [{ name: "npm ci", when: "always", attempts: [{ argv: ["npm", "ci"], cwd: "/work", env: {}, note: null }] }],
};
const entry = (sha256: string) => ({ path: "package-lock.json", mode: "100644" as const, blob: "b", size: 1, sha256 });
const parts: LayerKeyParts = {
  plan,
  checkout: { tree: "t1", entries: new Map([["package-lock.json", entry("a")]]) },
  platform: { owner: "o", image: "sha256:i", architecture: "amd64" },
  domain: "repository 1",
};

test("is the same for what is the same, whatever else the tree holds", () => {
  const checkout = { tree: "t2", entries: new Map([...parts.checkout.entries, ["a.js", entry("x")]]) };
  expect(layerKey({ ...parts, checkout })).toBe(layerKey(parts));
  expect(layerKey({ ...parts, plan: { ...plan, notes: ["a note"] } })).toBe(layerKey(parts));
});

test.each<[string, Partial<LayerKeyParts>]>([
  ["lockfile", { checkout: { ...parts.checkout, entries: new Map([["package-lock.json", entry("b")]]) } }],
  ["list of files", { plan: { ...plan, files: ["package-lock.json", ".npmrc"] } }],
  ["commands", { plan: { ...plan, steps: [] } }],
  ["image", { platform: { ...parts.platform, image: "sha256:j" } }],
  ["architecture", { platform: { ...parts.platform, architecture: "arm64" } }],
  ["owner", { platform: { ...parts.platform, owner: "p" } }],
  ["trust domain", { domain: "repository 2" }],
  ["part that the project's own code has in it", { plan: { ...plan, ownCode: true } }],
])("is another for another %s", (_, other) => {
  expect(layerKey({ ...parts, ...other })).not.toBe(layerKey(parts));
});

test("holds the tree when code of the project takes part", () => {
  const own = { ...parts, plan: { ...plan, ownCode: true } };
  expect(layerKey({ ...own, checkout: { ...own.checkout, tree: "t2" } })).not.toBe(layerKey(own));
});
