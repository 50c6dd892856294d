import { createHash } from "node:crypto";
import type { Checkout } from "../checkout/snapshot.ts";
import type { Sandboxes } from "../sandbox/sandbox.ts";
import type { InstallPlan } from "./install-plan.ts";

/** Grows when layers of an older version would be misread. */
const version = 1;

export interface LayerKeyParts {
  readonly plan: InstallPlan;
  readonly checkout: Pick<Checkout, "entries" | "tree">;
  readonly platform: Sandboxes["platform"];
  /** What its owner made it for: never shared between repositories, nor between the folders of a machine. */
  readonly domain: string;
}

/** The key of the layer that a plan makes: equal keys mean that one install does for both. Hex SHA-256. */
export function layerKey({ plan, checkout, platform, domain }: LayerKeyParts): string {
  const files = plan.files.toSorted().map((path) => {
    const { sha256 = null, mode = null } = checkout.entries.get(path) ?? {};
    return { path, sha256, mode };
  });
  const { owner, image, architecture } = platform;
  const tree = plan.ownCode ? checkout.tree : null;
  const parts = { version, owner, domain, image, architecture, steps: plan.steps, files, tree };
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
