import type { Twin } from "../twin/twin.ts";
import { greenPython, pythonProject } from "./projects.ts";
import { type RedRepository, redRepository, turnRed } from "./red-repository.ts";

/** One quick command in place of a test runner, for what is done over and over. */
const checkFile =
  "from words.count import frequencies, words\n\nassert words(' a\\n b ') == ['a', 'b']\nassert frequencies('A a') == {'a': 2}\n";
const step = { run: "python3 check.py", output: "AssertionError", exitCode: 1 };

/** A repository with a broken pull request whose failure is reproduced and proven in a moment; the scripted fixer repairs it. */
export function quickRepository(twin: Twin): Promise<RedRepository> {
  return redRepository(twin, {
    files: { ...pythonProject.files, "check.py": checkFile },
    base: { ...greenPython, "check.py": checkFile },
  });
}

/** Lets its check fail. */
export function turnRedQuickly(twin: Twin, { repository }: RedRepository): Promise<void> {
  return turnRed(twin, repository, "topic", { step });
}
