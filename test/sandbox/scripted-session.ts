import { Channel } from "../../src/sandbox/channel.ts";
import { DockerSession } from "../../src/sandbox/docker-session.ts";
import { defaultSandboxLimits, type SandboxLimits } from "../../src/sandbox/limits.ts";
import type { WorkspaceFile } from "../../src/sandbox/sandbox.ts";
import { protocolFixture } from "./protocol-fixtures.ts";
import { type Script, ScriptedSupervisor } from "./scripted-supervisor.ts";

/** For tests that never cancel. */
export const never = new AbortController().signal;

const facts = {
  protocol: 1,
  pythonVersion: "3.13.5",
  nodeVersion: "24.21.0",
  cgroupVersion: 1,
  memoryLimitBytes: 1024 ** 3,
  containerId: "c0ffee",
} as const;

/** A session whose container is played by the script. */
export function scriptedSession(
  script: Script,
  limits: Partial<SandboxLimits> = {},
): [DockerSession, ScriptedSupervisor] {
  const supervisor = new ScriptedSupervisor(script);
  const channel = new Channel(supervisor.stream, 1_000);
  return [new DockerSession(channel, facts, { ...defaultSandboxLimits, ...limits }), supervisor];
}

/** Answers each request with fixtures of the protocol's page, under the request's own id. */
export function answering(...fixtures: [name: string, binary?: Uint8Array][]): Script {
  return ({ header }, supervisor) => {
    for (const [name, binary] of fixtures) supervisor.send({ ...protocolFixture(name), id: header["id"] }, binary);
  };
}

/** The fixture as it is sent when it is the first request. */
export function first(name: string): Record<string, unknown> {
  return { ...protocolFixture(name), id: 1 };
}

/** The file of the protocol's page. */
export const file: WorkspaceFile = {
  path: "src/a.py",
  kind: "file",
  executable: false,
  bytes: Buffer.from("print('hi')\n"),
};
