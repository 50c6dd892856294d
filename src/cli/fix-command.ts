import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openObjectStore } from "../checkout/object-store.ts";
import { type Checkout, snapshotFolder } from "../checkout/snapshot.ts";
import { removeAbandonedStores } from "../checkout/store-folder.ts";
import { writePatchToFolder } from "../checkout/write-patch-to-folder.ts";
import { defaultExecutionMs, defaultInstallMs, defaultTestRunMs } from "../config/default-limits.ts";
import { readSettings, type Settings } from "../config/environment.ts";
import { instanceId } from "../config/instance-id.ts";
import { readPackageSources } from "../config/package-sources.ts";
import { installDependencies } from "../dependencies/install-dependencies.ts";
import { messageOf } from "../errors.ts";
import { chooseTestCommand, ownConfig } from "../job/choose-test-command.ts";
import { fix } from "../job/fix.ts";
import type { FixResult } from "../job/outcome.ts";
import { settled } from "../job/settled.ts";
import { Budget, type BudgetLimits, defaultBudgetLimits } from "../model/budget.ts";
import { openAiModel } from "../model/openai-model.ts";
import { defaultSandboxLimits } from "../sandbox/limits.ts";
import { sandboxStarter } from "../sandbox/sandbox-starter.ts";
import { openFileTrace, type Trace } from "../trace/recorder.ts";
import { version } from "../version.ts";
import { fixJson } from "./fix-json.ts";
import { fixText } from "./fix-text.ts";
import { abortOnSignals } from "./interrupt.ts";
import { progressLine } from "./progress.ts";

/** The options of `autolith fix`, as commander hands them over. */
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

const exitStatus = { fixed: 0, infrastructure: 3, other: 1 };

/** `autolith fix`: repairs a local folder and says how it ended. Gives the exit status; rejects for wrong use only. */
export async function fixCommand(args: FixArguments): Promise<number> {
  const settings = readSettings();
  const run = `${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}-${randomBytes(3).toString("hex")}`;
  using trace = openFileTrace({
    path: resolve(args.traceOut ?? join(settings.dataDirectory, "traces", `${run}.jsonl`)),
    now: () => new Date(),
    secrets: settings.secrets,
    onRecord: (record) => writeLine(process.stderr, progressLine(record)),
  });
  using interrupt = abortOnSignals();
  const { signal } = interrupt;
  await removeAbandonedStores();
  await using store = await openObjectStore(signal);
  const checkout = await trace.stage("checkout", () => snapshotFolder(resolve(args.repo), store, signal));
  const result = await repairFolder({ args, settings, run, trace, checkout }, signal);
  const applied = await handOver(args, checkout, result);
  writeLine(process.stderr, fixText(result, trace.path));
  if (args.json) process.stdout.write(`${JSON.stringify(fixJson(result, trace.path))}\n`);
  else if (result.outcome.kind === "fixed") process.stdout.write(result.outcome.repair.diff);
  if (result.outcome.kind === "infrastructure") return exitStatus.infrastructure;
  return result.outcome.kind === "fixed" && applied ? exitStatus.fixed : exitStatus.other;
}

interface FolderRepair {
  readonly args: FixArguments;
  readonly settings: Settings;
  readonly run: string;
  readonly trace: Trace;
  readonly checkout: Checkout;
}

async function repairFolder(repair: FolderRepair, signal: AbortSignal): Promise<FixResult> {
  const { args, settings, run, trace, checkout } = repair;
  const model = openAiModel(settings.model);
  const budget = new Budget(budgetLimits(args), model, () => performance.now());
  trace.record({
    type: "run-started",
    version: version(),
    model: model.name,
    endpoint: model.endpoint,
    limits: { ...budget.limits },
  });
  const config = await ownConfig(checkout);
  const command = await chooseTestCommand(checkout, args.test ?? config.test);
  trace.record({
    type: "checked-out",
    tree: checkout.tree,
    files: checkout.paths.length,
    command: command.shell,
    runner: command.runner,
    notes: [...checkout.notes],
  });
  return settled({ budget, trace, signal }, async (claims, runSignal) => {
    const sandboxes = await sandboxStarter(
      {
        engine: settings.engine,
        image: settings.sandboxImage,
        runtime: settings.sandboxRuntime,
        limits: defaultSandboxLimits,
        instance: run,
        run,
        layersOf: instanceId(settings.dataDirectory),
      },
      runSignal,
    );
    const installed = await installDependencies(
      {
        ...{ checkout, command, setup: config.setup, sandboxes, trace, mayInstall: true },
        sources: readPackageSources(),
        domain: `folder ${resolve(args.repo)}`,
        timeoutMs: defaultInstallMs,
      },
      runSignal,
    );
    if (installed.kind === "failed") return { kind: "environment", reason: installed.reason };
    const startSandbox = sandboxes.starter(installed.layer);
    const hasLayer = installed.layer !== null;
    const testRunMs = args.testTimeout === undefined ? defaultTestRunMs : args.testTimeout * 1_000;
    return fix(
      {
        checkout,
        command,
        startSandbox,
        installed: hasLayer,
        model,
        budget,
        trace,
        claims,
        testRunMs,
        executionMs: defaultExecutionMs,
      },
      runSignal,
    );
  });
}

/** Writes the patch where it was asked for; false when the folder could not take it. */
async function handOver(args: FixArguments, checkout: Checkout, { outcome }: FixResult): Promise<boolean> {
  if (outcome.kind !== "fixed") return true;
  try {
    if (args.patchOut !== undefined) writeFileSync(args.patchOut, outcome.repair.diff);
    if (args.apply)
      await writePatchToFolder(resolve(args.repo), checkout, outcome.repair.patch, new AbortController().signal);
    return true;
  } catch (error) {
    writeLine(process.stderr, `autolith: the patch was not written: ${messageOf(error)}`);
    return false;
  }
}

function budgetLimits(args: FixArguments): BudgetLimits {
  return { ...defaultBudgetLimits, iterations: args.maxIterations ?? defaultBudgetLimits.iterations };
}

function writeLine(stream: NodeJS.WriteStream, line: string | null): void {
  if (line !== null) stream.write(`${line}\n`);
}
