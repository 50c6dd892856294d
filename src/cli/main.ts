import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { AutolithError, messageOf } from "../errors.ts";
import { version } from "../version.ts";
import type { FixArguments } from "./fix-command.ts";
import type { ServeArguments } from "./serve-command.ts";
import { shortcutDrizzle } from "./shortcut-drizzle.ts";

const exitWrongUse = 2;
const exitBroken = 3;

/**
 * Runs the command line and gives the exit status; never rejects. Each command is loaded when it is called: a service has no use
 * for the loop of `fix` until a job begins, `fix` none for the web parts, and `--help` for neither.
 */
export async function main(argv: readonly string[]): Promise<number> {
  let status = 0;
  const program = new Command("autolith")
    .description("Repairs failing tests by running the code live, and proves the repair.")
    .version(version())
    .exitOverride()
    .configureHelp({ showGlobalOptions: true });
  program
    .command("fix")
    .description("repair a local folder; nothing is published")
    .requiredOption("--repo <dir>", "folder of the project, as it stands")
    .option("--test <cmd>", "shell command that runs the tests (default: the project's own configuration)")
    .option("--max-iterations <n>", "model turns at most", wholeNumber)
    .option("--test-timeout <seconds>", "limit of one test run", wholeNumber)
    .option("--json", "print one JSON object as the last line of stdout")
    .option("--patch-out <file>", "write the proven patch to a file")
    .option("--trace-out <file>", "write the trace to a file")
    .option("--apply", "write the proven patch to the folder")
    .action(async (options: FixArguments) => {
      const { fixCommand } = await import("./fix-command.ts");
      status = await fixCommand(options);
    });
  program
    .command("serve")
    .description("run the GitHub App: take its webhooks, repair what went red, open pull requests")
    .addOption(
      new Option("--role <role>", "what this process does; more than one needs DATABASE_URL")
        .choices(["web", "worker", "all"])
        .default("all"),
    )
    .action(async (options: ServeArguments) => {
      shortcutDrizzle();
      const { serveCommand } = await import("./serve-command.ts");
      await serveCommand(options);
    });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitWrongUse;
    process.stderr.write(`autolith: ${messageOf(error)}\n`);
    if (error instanceof AutolithError && error.code !== "infrastructure") return exitWrongUse;
    return exitBroken;
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("a whole number above 0 is needed.");
  return value;
}
