import childProcess from "node:child_process";

const child = /[\\/]jest-worker[\\/]build[\\/](?:workers[\\/])?processChild\.js$/;

/** Has the processes in which jest runs test files watch them as this one does. They take our option out again. */
export function watchInWorkers() {
  const option = `--import=${new URL("./worker.mjs", import.meta.url).pathname}`;
  const { fork } = childProcess;
  childProcess.fork = function (file, ...others) {
    const [args, options] = others;
    if (!child.test(String(file)) || !Array.isArray(options?.execArgv)) return fork.call(this, file, ...others);
    return fork.call(this, file, args, { ...options, execArgv: [...options.execArgv, option] });
  };
}
