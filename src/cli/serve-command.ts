import { join } from "node:path";
import { defaultExecutionMs, defaultInstallMs, defaultTestRunMs } from "../config/default-limits.ts";
import { readSettings, type Settings } from "../config/environment.ts";
import { instanceId } from "../config/instance-id.ts";
import { readPackageSources } from "../config/package-sources.ts";
import { readServerSettings, type ServerSettings } from "../config/server-config.ts";
import { appAccess } from "../github/app-access.ts";
import { redeliverMissed } from "../github/missed-deliveries.ts";
import { AutolithOctokit } from "../github/octokit.ts";
import type { FixLimits, FixServices } from "../job/fix-services.ts";
import { jobHandlers } from "../job/handlers.ts";
import { isRunOver } from "../job/run-over.ts";
import { openLog } from "../log/open-log.ts";
import { defaultBudgetLimits } from "../model/budget.ts";
import { openAiModel } from "../model/openai-model.ts";
import { defaultSandboxLimits } from "../sandbox/limits.ts";
import { sandboxStarter } from "../sandbox/sandbox-starter.ts";
import { sweepRuns } from "../sandbox/sweep.ts";
import { serve } from "../serve.ts";
import { abortOnSignals } from "./interrupt.ts";

/** The options of `autolith serve`, as commander hands them over. */
export interface ServeArguments {
  readonly role: "web" | "worker" | "all";
}

const limits: FixLimits = {
  budget: defaultBudgetLimits,
  testRunMs: defaultTestRunMs,
  installMs: defaultInstallMs,
  executionMs: defaultExecutionMs,
  runsPerPullRequest: 3,
  runsPerDay: 20,
  costPerDayUsd: 20,
};

/** Logs, checkout and publishing come on top of a run's wall time. */
const jobLimitMs = defaultBudgetLimits.wallTimeMs + 15 * 60_000;

/** `autolith serve`: the GitHub App, until SIGTERM or SIGINT. Rejects for wrong settings and for infrastructure that is not there. */
export async function serveCommand({ role }: ServeArguments): Promise<void> {
  const server = readServerSettings();
  const settings = readSettings();
  const secrets = [...settings.secrets, ...server.secrets];
  const { dataDirectory } = settings;
  const log = openLog({ level: server.logLevel, secrets });
  using interrupt = abortOnSignals();
  const { signal } = interrupt;
  const instance = instanceId(dataDirectory);
  const sandboxes = sandboxesOf(settings, instance);
  // An engine that is not there is noticed now, and what a killed process left behind is removed now, not with the first job.
  if (role !== "web") {
    const { removeAbandonedStores } = await import("../checkout/store-folder.ts");
    await Promise.all([sandboxes("start", signal), removeAbandonedStores()]);
  }
  const services = servicesOf({ settings, server, secrets, sandboxes });
  await serve(
    {
      ...{ settings: server, dataDirectory, role, jobLimitMs, log },
      Octokit: AutolithOctokit,
      handlers: ({ queue, store }) => jobHandlers({ ...services, database: store.database, log }, queue),
      catchUp: (catchSignal) => redeliverMissed(services.access.app, new Date(), catchSignal),
      sweep: async ({ database }, sweepSignal) => {
        const place = { engine: settings.engine, instance };
        const { containers, failed } = await sweepRuns(place, (run) => isRunOver(database, run), sweepSignal);
        if (containers + failed.length > 0) log.warn({ containers, failed }, "removed what ended jobs left behind");
      },
    },
    signal,
  );
}

function sandboxesOf(settings: Settings, instance: string): FixServices["sandboxes"] {
  const { engine, sandboxImage: image, sandboxRuntime: runtime } = settings;
  return (run, signal) =>
    sandboxStarter({ engine, image, runtime, limits: defaultSandboxLimits, instance, run, layersOf: instance }, signal);
}

interface Parts {
  readonly settings: Settings;
  readonly server: ServerSettings;
  readonly secrets: readonly string[];
  readonly sandboxes: FixServices["sandboxes"];
}

function servicesOf({ settings, server, secrets, sandboxes }: Parts): Omit<FixServices, "database" | "log"> {
  const { appId, privateKey, github } = server;
  const { apiUrl } = github;
  return {
    ...{ appId, apiUrl, secrets, sandboxes, limits },
    access: appAccess({ appId, privateKey, apiUrl }),
    model: openAiModel(settings.model),
    sources: readPackageSources(),
    traceDirectory: join(settings.dataDirectory, "traces"),
  };
}
