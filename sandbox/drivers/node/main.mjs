import { switchOutput } from "./output.mjs";

/** The live Node runtime: keeps user code's variables between executions, and tells what became of each of them. */
const descriptor = Number(process.argv[2]);
process.argv.length = 1;
process.execArgv.length = 0;
const { serve } = await import("./driver.mjs");
await serve(descriptor, process.cwd(), () => {
  // Node looks at what descriptors 1 and 2 are when these streams are made: to a file it writes synchronously.
  switchOutput(["/dev/null", "/dev/null"]);
  void [process.stdout, process.stderr];
});
