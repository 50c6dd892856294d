import { setTimeout as sleep } from "node:timers/promises";
import { labelName, ownerOf } from "./container-labels.ts";
import { type Engine, statusOf } from "./engine.ts";
import { isGone, type ProcessIdentity } from "./process-identity.ts";
import { removeContainer } from "./remove-container.ts";

/** What a sweep removed, and what it could not. */
export interface Reaped {
  readonly containers: number;
  readonly volumes: number;
  /** Ids of containers and names of volumes that are still there. */
  readonly failed: readonly string[];
}

interface LeftOver {
  readonly kind: "container" | "volume";
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly running: boolean;
  readonly createdMs: number;
}

const concurrency = 16;

/** No start takes this long: a container of any owner that does not run by then never will. */
const neverUsedMs = 3_600_000;
