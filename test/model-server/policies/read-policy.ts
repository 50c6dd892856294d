import { z } from "zod";
import type { Policy } from "../policy.ts";
import { conftestWriter, noOpFinisher, skipMarkerWriter, testEditor } from "./cheats.ts";
import { endpointDown, rateLimited } from "./faults.ts";
import { honestFixer } from "./fixer.ts";
import { chatterbox, givesUp, looper, malformedArguments } from "./stuck.ts";

const edits = z.array(z.strictObject({ path: z.string().min(1), old_text: z.string(), new_text: z.string() })).min(1);
const plan = {
  edits,
  root_cause: z.string().min(1),
  summary: z.string().min(1),
  look: z.strictObject({ language: z.enum(["python", "node"]), code: z.string() }).optional(),
};

/** A policy as JSON. Without `policy` it is the honest fixer's plan. */
const policySchema = z.union([
  z.strictObject({ policy: z.literal("honest-fixer").default("honest-fixer"), ...plan }),
  z.strictObject({
    policy: z.literal("rate-limited"),
    times: z.int().positive(),
    retryAfter: z.string().optional(),
    ...plan,
  }),
  z.strictObject({ policy: z.literal("malformed-arguments"), ...plan }),
  z.strictObject({ policy: z.literal("test-editor"), edits }),
  z.strictObject({ policy: z.literal("skip-marker-writer"), path: z.string(), line: z.string() }),
  z.strictObject({ policy: z.literal("looper"), tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
]);

/** Policies that need no plan, by name. */
export const namedPolicies: Readonly<Record<string, () => Policy>> = {
  "no-op-finisher": noOpFinisher,
  "conftest-writer": () => conftestWriter(),
  looper: () => looper(),
  chatterbox,
  "malformed-arguments": () => malformedArguments(),
  "endpoint-down": () => endpointDown(),
  "endpoint-hangs-up": () => endpointDown("hang-up"),
  "rate-limited": () => rateLimited({ times: 2, retryAfter: "1" }, givesUp()),
  "gives-up": () => givesUp(),
};

/** Makes a policy of its JSON form; throws with what is wrong with it. */
export function readPolicy(json: string): Policy {
  const parsed = policySchema.safeParse(JSON.parse(json));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { data } = parsed;
  switch (data.policy) {
    case "honest-fixer":
      return honestFixer(data);
    case "rate-limited":
      return rateLimited(data, honestFixer(data));
    case "malformed-arguments":
      return malformedArguments(honestFixer(data));
    case "test-editor":
      return testEditor(data.edits);
    case "skip-marker-writer":
      return skipMarkerWriter(data);
    case "looper":
      return looper(data);
    default:
      return data satisfies never;
  }
}
