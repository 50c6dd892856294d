import type { SandboxSession } from "../../src/sandbox/sandbox.ts";

/** A session that also hands over, as raw text, whatever came back from the sandbox. */
export function rawSession(session: SandboxSession, take: (text: string) => void): SandboxSession {
  return {
    facts: session.facts,
    put: (files, options, signal) => session.put(files, options, signal),
    remove: (paths, signal) => session.remove(paths, signal),
    list: (signal) => session.list(signal),
    stat: (paths, signal) => session.stat(paths, signal),
    sweep: (signal) => session.sweep(signal),
    async get(path, maxBytes, signal) {
      const file = await session.get(path, maxBytes, signal);
      if (file !== null) take(Buffer.from(file.bytes).toString("utf8"));
      return file;
    },
    async execute(request, signal) {
      const result = await session.execute(request, signal);
      const { value, exception } = result;
      take([result.stdout.text, result.stderr.text, value, exception && JSON.stringify(exception)].join("\n"));
      return result;
    },
    async run(request, signal) {
      const result = await session.run(request, signal);
      take(`${result.stdout.text}\n${result.stderr.text}`);
      return result;
    },
  };
}
