import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startModelServer } from "./model-server.ts";
import { namedPolicies, readPolicy } from "./policies/read-policy.ts";
import type { Policy } from "./policy.ts";

const usage = `usage: node test/model-server/main.ts --policy FILE.json|NAME [--port N]

Serves an OpenAI-compatible endpoint whose model acts by a policy, for trying the product by hand.
A file holds the honest fixer's plan: { "edits": [{ "path", "old_text", "new_text" }], "root_cause", "summary" },
or names another policy with "policy". Names: ${Object.keys(namedPolicies).join(", ")}.
`;

/** Runs until it is interrupted; exit status 2 for wrong use. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { policy: { type: "string" }, port: { type: "string" } } });
  const policy = values.policy === undefined ? null : policyOf(values.policy);
  if (policy === null) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  const server = await startModelServer({ policy, port: Number(values.port ?? 0) });
  process.stdout.write(`OPENAI_BASE_URL=${server.url} AUTOLITH_MODEL=scripted\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server[Symbol.asyncDispose]());
}

function policyOf(name: string): Policy | null {
  const named = namedPolicies[name];
  if (named !== undefined) return named();
  return existsSync(name) ? readPolicy(readFileSync(name, "utf8")) : null;
}

await main();
