/** One program that an install runs; nothing of a repository is part of a shell's text, but for the commands of its own configuration. */
export interface InstallCommand {
  readonly argv: readonly string[];
  /** Absolute, in the sandbox. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface InstallAttempt extends InstallCommand {
  /** What a person should know when it was needed. */
  readonly note: string | null;
  /** Tried only when this is in what the last attempt printed: it would fail for any other reason as well. */
  readonly onlyAfter?: RegExp;
}

export interface InstallStep {
  /** What it does, as a person would call it: `npm ci`. */
  readonly name: string;
  /** Tried in this order, until one succeeds. */
  readonly attempts: readonly InstallAttempt[];
  /** `scripts`: only when an installed package has scripts of its own for being installed. */
  readonly when: "always" | "scripts";
}

/** How the packages that tests need come into a sandbox. */
export interface InstallPlan {
  /** What does the work: `npm`, `pnpm`, `yarn`, `pip`, `setup`; several joined by ` + `. */
  readonly manager: string;
  readonly steps: readonly InstallStep[];
  /** Files of the checkout that decide what is installed. */
  readonly files: readonly string[];
  /** True when code of the checkout itself takes part, so that what it makes belongs to this very tree. */
  readonly ownCode: boolean;
  /** What a person should know, one line each. */
  readonly notes: readonly string[];
}

/** Where the workspace is. */
export const workspace = "/work";

/** What an install keeps besides what it leaves in the workspace. */
export const kept = "/layer/.autolith";

/** Folders for what is thrown away with the container: the same file system as the workspace, so that links work. */
export const scratch = `${workspace}/.autolith/cache`;

/** The programs of the image that take part. */
export const programs = "/opt/autolith/install";

/** A step with one way to do it. */
export function step(name: string, command: InstallCommand, when: InstallStep["when"] = "always"): InstallStep {
  return { name, attempts: [{ ...command, note: null }], when };
}

/** Plans one after the other; null when there are none. */
export function joinPlans(plans: readonly (InstallPlan | null)[]): InstallPlan | null {
  const present = plans.filter((plan) => plan !== null);
  if (present.length === 0) return null;
  return {
    manager: present.map((plan) => plan.manager).join(" + "),
    steps: present.flatMap((plan) => plan.steps),
    files: [...new Set(present.flatMap((plan) => plan.files))],
    ownCode: present.some((plan) => plan.ownCode),
    notes: present.flatMap((plan) => plan.notes),
  };
}
