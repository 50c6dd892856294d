import { z } from "zod";
import type { ExceptionReport, ExecutionResult, Frame, RunResult, TextOutput, WorkspaceEntry } from "./sandbox.ts";

/** The version of `sandbox/PROTOCOL.md` that this host speaks. */
export const protocolVersion = 1;

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative();

const textOutput: z.ZodType<TextOutput> = z.object({ text: z.string(), droppedBytes: count });

const frame: z.ZodType<Frame> = z.object({
  file: z.string(),
  line: z.int(),
  function: z.string(),
  source: z.string(),
  locals: z.record(z.string(), z.string()),
});

const exceptionReport: z.ZodType<ExceptionReport> = z.object({
  type: z.string(),
  message: z.string(),
  frames: z.array(frame),
  get cause() {
    // A driver, which user code may speak for, can also say null.
    return exceptionReport.nullish().transform((cause) => cause ?? undefined);
  },
});

/** What every answer carries. An `error` about a request that could not be read has no id. */
export const envelope = z.discriminatedUnion("event", [
  z.object({ event: z.literal("data"), id: z.int().positive() }),
  z.object({ event: z.literal("done"), id: z.int().positive() }),
  z.object({
    event: z.literal("error"),
    id: z.int().nullish(),
    code: z.enum(["bad-request", "not-found", "no-space", "internal"]),
    message: z.string(),
  }),
]);

/** A `done` that says nothing more. */
export const bareDone = z.object({});

const layer = z.object({ key: z.string(), files: count, bytes: count });

export const helloDone = z.object({
  protocol: z.literal(protocolVersion),
  python: z.string(),
  node: z.string(),
  cgroup: z.union([z.literal(1), z.literal(2)]),
  memoryLimit: count,
  hardening: z.array(z.string()),
  /** What the layer says of itself; null where none is read. */
  layer: layer.nullish(),
});

export const sealDone = layer.extend({ problem: z.string().nullable() });

export const putDone = z.object({ files: count, bytes: count });

/** Names in a workspace are chosen by code that nobody trusts; one that could leave it on the host is a broken supervisor. */
const workspacePath = z
  .string()
  .min(1)
  .refine(
    (path) => path.split("/").every((part) => part !== "" && part !== "." && part !== ".."),
    "not a workspace path",
  );

const workspaceEntry: z.ZodType<WorkspaceEntry> = z.object({
  path: workspacePath,
  kind: z.enum(["file", "symlink", "missing", "other"]),
  executable: z.boolean(),
  size: count,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
});

export const statData = z.object({ entries: z.array(workspaceEntry).max(1_000) });

export const getDone = z.object({
  kind: z.enum(["file", "symlink", "missing", "other", "too-large"]),
  executable: z.boolean(),
  size: count,
});

export const executeDone: z.ZodType<ExecutionResult> = z.object({
  status: z.enum(["ok", "error", "timeout", "interrupted", "oom", "output-limit", "exited", "signalled", "lost"]),
  value: z.string().nullable(),
  stdout: textOutput,
  stderr: textOutput,
  exception: exceptionReport.nullable(),
  durationMs: milliseconds,
  memoryBytes: count,
  stale: z.array(z.string()),
  background: z.array(z.string()),
  epoch: count,
});

export const runData = z.object({ part: z.literal("report") });

const runResult: z.ZodType<Omit<RunResult, "report">> = z.object({
  status: z.enum(["timeout", "interrupted", "oom", "output-limit", "exited", "signalled", "lost"]),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  stdout: textOutput,
  stderr: textOutput,
  durationMs: milliseconds,
  memoryBytes: count,
  stack: z.string().nullable(),
});

/** `report` tells whether the bytes came as `data` frames. */
export const runDone = z.intersection(runResult, z.object({ report: z.enum(["present", "absent", "too-large"]) }));

export const sweepDone = z.object({ killed: count, epoch: count });
