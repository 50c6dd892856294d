import type { ExecutionResult, RunResult, TextOutput } from "./sandbox.ts";

const nothing: TextOutput = { text: "", droppedBytes: 0 };

const explanation: TextOutput = {
  text: "[autolith: the sandbox did not answer after the time limit and was ended]\n",
  droppedBytes: 0,
};

/** The result of an execution whose deadline passed without an answer: the host ended the container, all state is gone. */
export function unansweredExecution(durationMs: number, epoch: number): ExecutionResult {
  return {
    status: "timeout",
    value: null,
    stdout: nothing,
    stderr: explanation,
    exception: null,
    durationMs,
    memoryBytes: 0,
    stale: [],
    background: [],
    epoch,
  };
}

/** The result of a run whose deadline passed without an answer: the host ended the container. */
export function unansweredRun(durationMs: number): RunResult {
  return {
    status: "timeout",
    exitCode: null,
    signal: null,
    stdout: nothing,
    stderr: explanation,
    durationMs,
    memoryBytes: 0,
    report: null,
    stack: null,
  };
}
