import { expect, test } from "vitest";
import { containerSpec } from "../../src/sandbox/container-spec.ts";
import { defaultSandboxLimits } from "../../src/sandbox/limits.ts";

const labels = {
  instance: "i-1",
  run: "r-1",
  role: "run",
  owner: { pid: 42, started: "1234", place: "host boot namespace" },
};

const encodedLabels = {
  "dev.autolith.instance": "i-1",
  "dev.autolith.run": "r-1",
  "dev.autolith.role": "run",
  "dev.autolith.owner.pid": "42",
  "dev.autolith.owner.started": "1234",
  "dev.autolith.owner.place": "host boot namespace",
};

const request = { image: "autolith/sandbox:1", labels, limits: defaultSandboxLimits, engineCpus: 8 };

test("is the whole baseline and nothing else", () => {
  expect(containerSpec(request)).toEqual({
    Image: "autolith/sandbox:1",
    Labels: encodedLabels,
    Hostname: "sandbox",
    User: "10001:10001",
    WorkingDir: "/work",
    Env: [],
    Tty: false,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    StopTimeout: 1,
    HostConfig: {
      AutoRemove: true,
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Privileged: false,
      NetworkMode: "none",
      IpcMode: "private",
      CgroupnsMode: "private",
      PidsLimit: 256,
      Memory: 1_073_741_824,
      MemorySwap: 1_073_741_824,
      OomKillDisable: false,
      NanoCpus: 2_000_000_000,
      ShmSize: 67_108_864,
      Ulimits: [
        { Name: "nofile", Soft: 4096, Hard: 4096 },
        { Name: "core", Soft: 0, Hard: 0 },
      ],
      LogConfig: { Type: "none", Config: {} },
      Tmpfs: {
        "/tmp": "rw,exec,nosuid,nodev,size=268435456,mode=1777",
        "/run/autolith": "rw,noexec,nosuid,nodev,size=67108864,mode=0700,uid=10001,gid=10001",
      },
      Mounts: [
        {
          Type: "volume",
          Source: "",
          Target: "/work",
          VolumeOptions: { NoCopy: false, Labels: encodedLabels, DriverConfig: { Name: "local", Options: {} } },
        },
      ],
    },
  });
});

test("names the runtime when one is set", () => {
  expect(containerSpec({ ...request, runtime: "runsc" }).HostConfig?.Runtime).toBe("runsc");
});

test("asks for no more CPUs than the engine's machine has", () => {
  expect(containerSpec({ ...request, engineCpus: 1 }).HostConfig?.NanoCpus).toBe(1_000_000_000);
});

test("takes every cap from the limits", () => {
  const limits = { ...defaultSandboxLimits, memoryBytes: 7, pids: 8, openFiles: 9, tmpBytes: 10, scratchBytes: 11 };
  const host = containerSpec({ ...request, limits }).HostConfig;
  expect(host).toMatchObject({ Memory: 7, MemorySwap: 7, PidsLimit: 8 });
  expect(host?.Ulimits?.[0]).toEqual({ Name: "nofile", Soft: 9, Hard: 9 });
  expect(Object.values(host?.Tmpfs ?? {}).join()).toMatch(/size=10,.*size=11,/);
});

test("never mounts anything of the host", () => {
  const host = containerSpec(request).HostConfig;
  expect(host?.Binds).toBeUndefined();
  expect(host?.Mounts?.map((mount) => [mount.Type, mount.Source])).toEqual([["volume", ""]]);
});

test("has what an install made, read-only", () => {
  const { HostConfig } = containerSpec({ ...request, layer: { kind: "read", volume: "v-1" } });
  expect(HostConfig).toMatchObject({ NetworkMode: "none", ReadonlyRootfs: true });
  expect(HostConfig?.Mounts).toMatchObject([
    { Type: "volume", Source: "", Target: "/work" },
    { Type: "volume", Source: "v-1", Target: "/layer", ReadOnly: true, VolumeOptions: { NoCopy: true } },
  ]);
});

test("has a network only to make a layer, which is its workspace then", () => {
  const plain = containerSpec(request);
  const { HostConfig, ...rest } = containerSpec({ ...request, layer: { kind: "make", volume: "v-1" } });
  expect(rest).toEqual({ ...plain, HostConfig: undefined });
  expect(HostConfig).toEqual({
    ...plain.HostConfig,
    NetworkMode: "bridge",
    Mounts: [
      expect.objectContaining({ Type: "volume", Source: "v-1", Target: "/work" }),
      expect.objectContaining({ Type: "volume", Source: "v-1", Target: "/layer", ReadOnly: false }),
    ],
  });
});
