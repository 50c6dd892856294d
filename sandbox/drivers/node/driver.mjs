import { background, rememberResources } from "./background.mjs";
import { Channel } from "./channel.mjs";
import { Evaluation } from "./evaluation.mjs";
import { exceptionReport } from "./exception.mjs";
import { LocalsWatch } from "./locals-watch.mjs";
import { endQuietly, switchOutput } from "./output.mjs";
import { rememberSource } from "./sources.mjs";
import { staleFiles, watchModules } from "./workspace-modules.mjs";

const stackDepth = 50;

/** Serves executions until the supervisor closes the channel. Calls `onReady` when nothing can go wrong any more. */
export async function serve(descriptor, workspace, onReady) {
  watchModules(workspace);
  const locals = await LocalsWatch.start(workspace);
  const evaluation = new Evaluation(workspace);
  endQuietly();

  const channel = new Channel(descriptor, async ({ number, outputs, code }) => {
    switchOutput(outputs);
    process.chdir(workspace);
    Error.stackTraceLimit = stackDepth;
    const file = `<execution-${number}>`;
    rememberSource(file, code);
    await locals.renew();
    evaluation.run(file, code, ({ outcome, value, thrown }) => {
      const exception = thrown && exceptionReport(thrown, file, locals.last());
      channel.send({
        execution: number,
        outcome,
        value,
        exception,
        stale: staleFiles(),
        background: background(evaluation.isAbandoned),
      });
    });
  });
  onReady();
  rememberResources();
  channel.send({ execution: 0, outcome: "ready", value: process.versions.node });
}
