import type { Finding } from "../checkout/patch.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import type { Trace } from "../trace/recorder.ts";
import type { NewFile, Reproduction, ReproductionVerdict } from "../verify/verify-reproduction.ts";
import { reasonsOf } from "./finish.ts";
import { reproducedText } from "./issue-prompt.ts";
import { recordReproduction } from "./record-reproduction.ts";
import type { Settle } from "./settle.ts";
import type { Workspace } from "./tool/tool.ts";

export interface ClaimedReproduction {
  readonly workspace: Workspace;
  /** Looks at a test file in a fresh container. */
  readonly verify: (test: NewFile, signal: AbortSignal) => Promise<ReproductionVerdict>;
  readonly trace: Trace;
}

const maxFileBytes = 256 * 1024;

/** Takes the one new test file out of the workspace, holds it against the rules, and only then has it run; takes down what came of it. */
export function settleReproduction({ workspace, verify, trace }: ClaimedReproduction): Settle<Reproduction> {
  return async (signal) => {
    const start = performance.now();
    const found = await newFile(workspace, signal);
    const verdict = found.kind === "write" ? await verify(found, signal) : found;
    const durationMs = performance.now() - start;
    if (verdict.kind === "accepted") {
      const { reproduction } = verdict;
      recordReproduction(trace, reproduction, durationMs);
      return { kind: "held", held: reproduction, told: reproducedText(reproduction, workspace.target.command) };
    }
    trace.record({ type: "reproduction", accepted: false, reasons: [...verdict.reasons], test: null, durationMs });
    return verdict;
  };
}

type Refused = Extract<ReproductionVerdict, { kind: "refused" }>;

async function newFile(workspace: Workspace, signal: AbortSignal): Promise<NewFile | Refused> {
  const { session, created, judge, refusedEdits } = workspace;
  const files: NewFile[] = [];
  for (const path of created) {
    const file = await readNew(session, path, signal);
    if (file !== null) files.push(file);
  }
  const [file, ...others] = files;
  if (file === undefined) return { kind: "refused", reasons: [...reasonsOf(errorsIn(refusedEdits)), noFile] };
  if (others.length > 0) return { kind: "refused", reasons: [oneOf(files)] };
  const errors = errorsIn(await judge([file]));
  return errors.length === 0 ? file : { kind: "refused", reasons: reasonsOf(errors) };
}

const noFile =
  "there is no new test file; create one by edit_file with an empty old_text, in which a test fails because of the report";

function oneOf(files: readonly NewFile[]): string {
  return `one new test file has to show the report; delete the others of ${files.map(({ path }) => path).join(", ")}`;
}

async function readNew(session: SandboxSession, path: string, signal: AbortSignal): Promise<NewFile | null> {
  const file = await session.get(path, maxFileBytes, signal);
  return file?.kind === "file" ? { kind: "write", path, executable: false, bytes: file.bytes } : null;
}

function errorsIn(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ severity }) => severity === "error");
}
