import { randomBytes } from "node:crypto";
import { statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { writePatchToFolder } from "../checkout/write-patch.ts";
import { openObjectStore } from "../checkout/object-store.ts";
import { type Checkout, snapshotFolder } from "../checkout/snapshot.ts";
import { readSettings, type Settings } from "../config/environment.ts";
import { AutolithError, messageOf, SandboxError } from "../errors.ts";
import { chooseTestCommand } from "../job/choose-test-command.ts";
import { fix } from "../job/fix.ts";
import type { FixResult } from "../job/outcome.ts";
import { Budget, defaultBudgetLimits } from "../model/budget.ts";
import { openAiModel } from "../model/openai-model.ts";
import type { Model } from "../model/model.ts";
import { openSandboxes } from "../sandbox/open-sandboxes.ts";
import { openFileTrace, type Trace } from "../trace/recorder.ts";
import { version } from "../version.ts";
import { fixJson } from "./fix-json.ts";
import { progressLine } from "./progress.ts";

/** What commander hands over. */
export interface FixArguments {
  readonly repo: string;
  readonly test?: string;
  readonly maxIterations?: number;
  /** Seconds. */
  readonly testTimeout?: number;
  readonly json?: true;
  readonly patchOut?: string;
  readonly traceOut?: string;
  readonly apply?: true;
}

const defaultTestRunMs = 10 * 60_000;
const executionMs = 30_000;

/** `autolith fix`: repairs a local folder and says how it ended. Gives the exit status; throws for wrong use only. */
export async function fixCommand(args: FixArguments): Promise<number> {
  const settings = readSettings();
  const folder = existingFolder(args.repo);
  const model = openAiModel(settings.model);
  using trace = openTrace(args, settings);
  const interrupt = abortOnSignals();
  const budget = new Budget(budgetLimits(args), model, () => performance.now());
  recordStart(trace, model, budget);

  await using store = await openObjectStore(interrupt.signal);
  const checkout = await trace.stage("checkout", () => snapshotFolder(folder, store, interrupt.signal));
  const result = await repairFolder({ args, settings, model, budget, trace, checkout }, interrupt.signal);
  interrupt.release();

  if (result.outcome.kind === "fixed") {
    if (args.patchOut !== undefined) writeFileSync(args.patchOut, result.outcome.repair.diff);
    if (args.apply) await writePatchToFolder(folder, checkout, result.outcome.repair.patch, new AbortController().signal);
  }
  report(args, result, trace.path);
  return exitStatus(result);
}

interface Repair {
  readonly args: FixArguments;
  readonly settings: Settings;
  readonly model: Model;
  readonly budget: Budget;
  readonly trace: Trace;
  readonly checkout: Checkout;
}
