import type { ContainerCreateOptions, HostConfig } from "dockerode";
import { type ContainerLabels, encodeLabels } from "./container-labels.ts";
import type { SandboxLimits } from "./limits.ts";

/** What a container is made from. */
export interface ContainerRequest {
  readonly image: string;
  readonly labels: ContainerLabels;
  readonly limits: SandboxLimits;
  /** Name of an OCI runtime that the engine knows, such as `runsc`; the engine's default when undefined. */
  readonly runtime?: string | undefined;
  /** CPUs of the engine's machine; it refuses a container that asks for more. */
  readonly engineCpus: number;
  readonly layer?: LayerUse | undefined;
}

/** `read`: what an install made, read-only. `make`: the container of an install, which alone has a network. */
export interface LayerUse {
  readonly kind: "read" | "make";
  readonly volume: string;
}

/** `CgroupnsMode` came with API 1.41, the oldest that Autolith accepts; the typings lack it. */
type SandboxHostConfig = HostConfig & { readonly CgroupnsMode: "private" };

/** The user of everything in the sandbox, made by the image. */
const uid = 10_001;

/**
 * The container of one sandbox as data: no network, unless it makes a layer, no capabilities, nothing of the host, everything capped.
 *
 * The engine's own seccomp profile stays in force by not being named; the supervisor stacks a stricter filter on it.
 * The workspace is an anonymous volume, which the engine removes together with the container because of `AutoRemove`;
 * it carries labels, so that the reaper finds it should that ever fail.
 */
export function containerSpec(request: ContainerRequest): ContainerCreateOptions {
  const { image, labels } = request;
  return {
    Image: image,
    Labels: encodeLabels(labels),
    Hostname: "sandbox",
    User: `${uid}:${uid}`,
    WorkingDir: "/work",
    Env: [],
    Tty: false,
    OpenStdin: true,
    // With StdinOnce the supervisor's input ends when the one attached client goes, however it goes.
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    StopTimeout: 1,
    HostConfig: hostConfig(request),
  };
}

function hostConfig({ labels, limits, runtime, engineCpus, layer }: ContainerRequest): SandboxHostConfig {
  return {
    AutoRemove: true,
    ReadonlyRootfs: true,
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges"],
    Privileged: false,
    NetworkMode: layer?.kind === "make" ? "bridge" : "none",
    IpcMode: "private",
    CgroupnsMode: "private",
    PidsLimit: limits.pids,
    Memory: limits.memoryBytes,
    // Equal to Memory means: no swap.
    MemorySwap: limits.memoryBytes,
    OomKillDisable: false,
    NanoCpus: Math.min(limits.nanoCpus, engineCpus * 1_000_000_000),
    ShmSize: limits.sharedMemoryBytes,
    Ulimits: [
      { Name: "nofile", Soft: limits.openFiles, Hard: limits.openFiles },
      { Name: "core", Soft: 0, Hard: 0 },
    ],
    LogConfig: { Type: "none", Config: {} },
    Tmpfs: {
      // Executable, because builds of native modules run what they put there.
      "/tmp": `rw,exec,nosuid,nodev,size=${limits.tmpBytes},mode=1777`,
      "/run/autolith": `rw,noexec,nosuid,nodev,size=${limits.scratchBytes},mode=0700,uid=${uid},gid=${uid}`,
    },
    Mounts: mounts(labels, layer),
    ...(runtime === undefined ? {} : { Runtime: runtime }),
  };
}

type Mount = NonNullable<HostConfig["Mounts"]>[number];

/**
 * An install works in the volume that becomes the layer, so that nothing has to be copied: `/work` and `/layer` are one folder then.
 * Without `NoCopy` a new volume takes owner and mode from the image's `/work`; no source makes it anonymous.
 */
function mounts(labels: ContainerLabels, layer: LayerUse | undefined): Mount[] {
  const workspace = volume(labels, { Source: layer?.kind === "make" ? layer.volume : "", Target: "/work" });
  if (layer === undefined) return [workspace];
  const isRead = layer.kind === "read";
  return [workspace, volume(labels, { Source: layer.volume, Target: "/layer", ReadOnly: isRead }, true)];
}

/** The engine makes a volume that does not exist: with labels, the reaper finds it. */
function volume(labels: ContainerLabels, mount: Omit<Mount, "Type" | "VolumeOptions">, noCopy = false): Mount {
  const options = { NoCopy: noCopy, Labels: encodeLabels(labels), DriverConfig: { Name: "local", Options: {} } };
  return { Type: "volume", ...mount, VolumeOptions: options };
}
