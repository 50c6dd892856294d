import type { ProcessIdentity } from "./process-identity.ts";

/** Says whose a container or volume is. */
export interface ContainerLabels {
  /** The Autolith that made it: kept across restarts by a service, fresh for each local run. */
  readonly instance: string;
  readonly run: string;
  /** What the container is for, for people who look at a list of containers. */
  readonly role: string;
  /** The process that must be alive for it to be of any use. */
  readonly owner: ProcessIdentity;
}

const prefix = "dev.autolith";

/** Names of the labels; only what carries `instance` and `ownerPid` is ever removed by the reaper. */
export const labelName = {
  instance: `${prefix}.instance`,
  run: `${prefix}.run`,
  role: `${prefix}.role`,
  ownerPid: `${prefix}.owner.pid`,
  ownerStarted: `${prefix}.owner.started`,
  ownerPlace: `${prefix}.owner.place`,
  layerOf: `${prefix}.layer.instance`,
  layerVolume: `${prefix}.layer.volume`,
  layerBytes: `${prefix}.layer.bytes`,
  layerFiles: `${prefix}.layer.files`,
} as const;

/** The labels as the engine stores them. */
export function encodeLabels(labels: ContainerLabels): Record<string, string> {
  return {
    [labelName.instance]: labels.instance,
    [labelName.run]: labels.run,
    [labelName.role]: labels.role,
    [labelName.ownerPid]: String(labels.owner.pid),
    [labelName.ownerStarted]: labels.owner.started,
    [labelName.ownerPlace]: labels.owner.place,
  };
}

/** The owner that labels name; null when they name none. */
export function ownerOf(labels: Readonly<Record<string, string>>): ProcessIdentity | null {
  const pid = Number(labels[labelName.ownerPid]);
  const started = labels[labelName.ownerStarted];
  const place = labels[labelName.ownerPlace];
  if (!Number.isSafeInteger(pid) || pid <= 0 || started === undefined || place === undefined) return null;
  return { pid, started, place };
}
