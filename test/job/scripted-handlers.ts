import { EventEmitter, once } from "node:events";
import type { ActiveJob, JobEnd } from "../../src/job/active-job.ts";
import type { Ending } from "../../src/job/ending.ts";
import type { Intake } from "../../src/job/intake.ts";
import type { Handlers } from "../../src/job/worker.ts";

type Run = (job: ActiveJob, signal: AbortSignal) => Promise<JobEnd>;

/** Handlers that do what a test says, attempt by attempt, and remember what they were asked. A call that no test expects fails. */
export class ScriptedHandlers implements Handlers {
  /** Attempts in their order, as `run <attempt>` and `close <outcome>`. */
  readonly calls: string[] = [];
  readonly intakes: Intake[] = [];
  readonly #runs: Run[];
  readonly #events = new EventEmitter();
  readonly #closeFailures: Error[];
  #intake: (intake: Intake) => Promise<void> = () => Promise.reject(new Error("no intake is expected"));

  constructor(runs: Run[], closeFailures: Error[] = []) {
    this.#runs = runs;
    this.#closeFailures = closeFailures;
  }

  onIntake(intake: (intake: Intake) => Promise<void>): this {
    this.#intake = intake;
    return this;
  }

  run(job: ActiveJob, signal: AbortSignal): Promise<JobEnd> {
    this.#note(`run ${job.attempt}`);
    const run = this.#runs.shift();
    return run === undefined ? Promise.reject(new Error("no further run is expected")) : run(job, signal);
  }

  async close(_job: ActiveJob, ending: Ending): Promise<void> {
    this.#note(`close ${ending.outcome}: ${ending.reason}`);
    const failure = this.#closeFailures.shift();
    if (failure !== undefined) throw failure;
  }

  async intake(intake: Intake): Promise<void> {
    this.intakes.push(intake);
    this.#note("intake");
    await this.#intake(intake);
  }

  /** Resolves when so many calls were made. */
  async called(times: number): Promise<void> {
    while (this.calls.length < times) await once(this.#events, "call", { signal: AbortSignal.timeout(10_000) });
  }

  #note(call: string): void {
    this.calls.push(call);
    this.#events.emit("call");
  }
}

/** A run that ends well. */
export const opens: Run = async () => ({ kind: "ended", outcome: "opened", reason: "opened #8" });

/** A run in which infrastructure breaks. */
export const breaks: Run = () => Promise.reject(new Error("the engine went away"));

/** A run that goes on until it is told to end, as a job is to do. */
export const hangs: Run = (_job, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
