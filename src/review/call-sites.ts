import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Checkout } from "../checkout/snapshot.ts";
import { isTestPath } from "../checkout/test-path.ts";
import type { SandboxSession } from "../sandbox/sandbox.ts";
import type { Bump } from "./bumps.ts";
import { type CallSite, mostCallSites } from "./call-site.ts";
import { textOf } from "./change.ts";
import { javascriptUses } from "./javascript-call-sites.ts";

/** Files that a person wrote; larger ones are bundles. */
const readableBytes = 512 * 1024;
const mostFiles = 3_000;
const pythonMs = 30_000;

const pythonScript = readFileSync(join(import.meta.dirname, "python_call_sites.py"), "utf8");
const pythonFound = z.record(z.string(), z.array(z.tuple([z.number().int(), z.string(), z.boolean()])));

/**
 * The call sites of a bumped package in a checkout, by syntax tree. Python's are found by Python itself, in a sandbox whose workspace
 * holds the checkout; without a session they are not looked for.
 */
export async function findCallSites(
  bump: Pick<Bump, "ecosystem" | "name">,
  checkout: Checkout,
  session: SandboxSession | null,
  signal: AbortSignal,
): Promise<CallSite[]> {
  const found =
    bump.ecosystem === "npm"
      ? await inJavascript(bump.name, checkout, signal)
      : session === null
        ? []
        : await inPython(bump.name, checkout, session, signal);
  // The project's own code first: its tests call a package to check what the code does with it.
  return found.toSorted((a, b) => Number(a.isTest) - Number(b.isTest)).slice(0, mostCallSites);
}

async function inJavascript(name: string, checkout: Checkout, signal: AbortSignal): Promise<CallSite[]> {
  const sites: CallSite[] = [];
  for (const file of sources(checkout, /\.[cm]?[jt]sx?$/)) {
    signal.throwIfAborted();
    const text = await textOf(checkout, file);
    if (text !== null)
      sites.push(...javascriptUses(file, text, name).map((use) => ({ file, ...use, isTest: isTestPath(file) })));
  }
  return sites;
}

async function inPython(
  name: string,
  checkout: Checkout,
  session: SandboxSession,
  signal: AbortSignal,
): Promise<CallSite[]> {
  const result = await session.run(
    {
      argv: ["python3", "-c", pythonScript],
      cwd: "/work",
      env: { PYTHONSAFEPATH: "1" },
      timeoutMs: pythonMs,
      report: true,
      input: JSON.stringify({ distribution: name, files: sources(checkout, /\.pyi?$/) }),
    },
    signal,
  );
  const parsed = pythonFound.safeParse(readJson(result.report));
  if (!parsed.success) return [];
  // What a sandbox reports is data: only files that the checkout has are named.
  return Object.entries(parsed.data)
    .filter(([file]) => checkout.entries.has(file))
    .flatMap(([file, uses]) =>
      uses.map(([line, text, isCall]) => ({ file, line, text, isCall, isTest: isTestPath(file) })),
    );
}

function sources({ entries }: Checkout, form: RegExp): string[] {
  return [...entries.values()]
    .filter(({ path, mode, size }) => form.test(path) && mode !== "120000" && size <= readableBytes)
    .map(({ path }) => path)
    .filter((path) => !/(^|\/)(node_modules|vendor|dist|build|\.venv|site-packages)\//.test(path))
    .slice(0, mostFiles);
}

function readJson(bytes: Uint8Array | null): unknown {
  try {
    return JSON.parse(Buffer.from(bytes ?? []).toString("utf8"));
  } catch {
    return null;
  }
}
