import { z } from "zod";
import { AutolithError } from "../errors.ts";
import { refuseUnknownNames } from "./known-names.ts";
import { readPrivateKey } from "./private-key.ts";

const wholeNumber = z
  .string()
  .regex(/^\d{1,10}$/, "must be a whole number")
  .transform(Number);

/** The names that `autolith serve` reads from its environment besides those of `autolith fix`. */
const environmentSchema = z.object({
  APP_ID: wholeNumber.pipe(z.number().min(1)),
  PRIVATE_KEY: z.string().optional(),
  PRIVATE_KEY_PATH: z.string().optional(),
  // "development" is what Probot uses without a secret, so anybody could sign with it.
  WEBHOOK_SECRET: z
    .string()
    .refine((secret) => !["", "development"].includes(secret.trim().toLowerCase()), "must be a secret of your own"),
  GHE_HOST: z
    .string()
    .regex(/^[A-Za-z0-9.-]+(:\d+)?$/, "must be a host, with its port if need be")
    .optional(),
  GHE_PROTOCOL: z.enum(["http", "https"]).default("https"),
  PORT: wholeNumber.pipe(z.number().max(65_535)).default(3000),
  HOST: z.string().default("127.0.0.1"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" }).optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  AUTOLITH_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  AUTOLITH_DEBOUNCE_SECONDS: wholeNumber.pipe(z.number().max(600)).default(90),
  AUTOLITH_CONCURRENCY: wholeNumber.pipe(z.number().min(1).max(64)).default(2),
});

/** What `autolith serve` needs to know of its surroundings. */
export interface ServerSettings {
  readonly appId: number;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly github: {
    /** Base of the REST API, without a slash at its end. */
    readonly apiUrl: string;
    /** Base of what people open, and of clone addresses, without a slash at its end. */
    readonly webUrl: string;
  };
  /** Port 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Where people reach this server; undefined: links to it are left out. */
  readonly publicUrl: string | undefined;
  /** Undefined: the embedded database below the data directory. */
  readonly databaseUrl: string | undefined;
  /** How long a failed check waits for the others of its commit. Unit: milliseconds. */
  readonly debounceMs: number;
  /** Jobs that run at the same time in this process. */
  readonly concurrency: number;
  readonly logLevel: z.infer<typeof environmentSchema>["LOG_LEVEL"];
  /** Values that must never reach a log, a trace or a sandbox. */
  readonly secrets: readonly string[];
}

/** Reads the settings of `autolith serve` once. Throws `AutolithError("config")` in words that name the variable. */
export function readServerSettings(environment: NodeJS.ProcessEnv = process.env): ServerSettings {
  refuseUnknownNames(environment);
  const values = parse(environment);
  const privateKey = readPrivateKey(values);
  return {
    appId: values.APP_ID,
    privateKey,
    webhookSecret: values.WEBHOOK_SECRET,
    github: addressesOf(values.GHE_HOST, values.GHE_PROTOCOL),
    listen: { host: values.HOST, port: values.PORT },
    publicUrl: values.AUTOLITH_PUBLIC_URL?.replace(/\/+$/, ""),
    databaseUrl: values.DATABASE_URL,
    debounceMs: values.AUTOLITH_DEBOUNCE_SECONDS * 1000,
    concurrency: values.AUTOLITH_CONCURRENCY,
    logLevel: values.LOG_LEVEL,
    secrets: [values.WEBHOOK_SECRET, privateKey, ...passwordOf(values.DATABASE_URL)],
  };
}

function parse(environment: NodeJS.ProcessEnv): z.infer<typeof environmentSchema> {
  const names = Object.keys(environmentSchema.shape);
  // An empty variable counts as unset, except for the secret, where it is a mistake worth its own words.
  const present = names.filter((name) => environment[name] !== undefined && environment[name] !== "");
  const parsed = environmentSchema.safeParse({
    WEBHOOK_SECRET: "",
    ...Object.fromEntries(present.map((name) => [name, environment[name]])),
  });
  if (parsed.success) return parsed.data;
  throw new AutolithError("config", `the environment is not usable:\n${z.prettifyError(parsed.error)}`);
}

/** GitHub Enterprise Server has its API below `/api/v3`: https://docs.github.com/en/enterprise-server/rest */
function addressesOf(host: string | undefined, protocol: string): ServerSettings["github"] {
  if (host === undefined) return { apiUrl: "https://api.github.com", webUrl: "https://github.com" };
  return { apiUrl: `${protocol}://${host}/api/v3`, webUrl: `${protocol}://${host}` };
}

function passwordOf(databaseUrl: string | undefined): string[] {
  const password = databaseUrl === undefined ? "" : new URL(databaseUrl).password;
  return password === "" ? [] : [decodeURIComponent(password)];
}
