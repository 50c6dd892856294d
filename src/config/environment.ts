import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { AutolithError } from "../errors.ts";
import { refuseUnknownNames } from "./known-names.ts";

/** The names that Autolith reads from its environment, and what they mean. */
const environmentSchema = z.object({
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  AUTOLITH_MODEL: z.string().min(1).optional(),
  AUTOLITH_SANDBOX_RUNTIME: z.string().min(1).optional(),
  AUTOLITH_SANDBOX_IMAGE: z.string().min(1).optional(),
  AUTOLITH_DATA_DIR: z.string().min(1).optional(),
  DOCKER_HOST: z.string().min(1).optional(),
  DOCKER_TLS_VERIFY: z.string().optional(),
  DOCKER_CERT_PATH: z.string().min(1).optional(),
  XDG_DATA_HOME: z.string().min(1).optional(),
});

const knownNames = Object.keys(environmentSchema.shape);

/** Model used with the vendor's own endpoint when none is named. */
const defaultModel = "gpt-5.1";
const vendorEndpoint = "https://api.openai.com/v1";
/** Local servers need no key, yet clients must send one. */
const placeholderKey = "not-needed";

export interface ModelSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

export interface Settings {
  readonly model: ModelSettings;
  /** Docker's own settings; without an address, the local socket. */
  readonly engine: {
    readonly dockerHost: string | undefined;
    readonly tls: boolean;
    readonly certificates: string | undefined;
  };
  /** Name of an OCI runtime that the engine knows, such as `runsc`; undefined: the engine's default. */
  readonly sandboxRuntime: string | undefined;
  /** Undefined: the image that this version builds. */
  readonly sandboxImage: string | undefined;
  readonly dataDirectory: string;
  /** Values that must never reach a log, a trace or a sandbox. */
  readonly secrets: readonly string[];
}

/** Reads the settings that `fix` and `serve` share, once. Throws `AutolithError("config")` in words that name the variable. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  refuseUnknownNames(environment);
  const present = Object.fromEntries(
    knownNames.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    throw new AutolithError("config", `the environment is not usable:\n${z.prettifyError(parsed.error)}`);
  }
  const values = parsed.data;
  return {
    model: modelSettings(values),
    engine: {
      dockerHost: values.DOCKER_HOST,
      tls: values.DOCKER_TLS_VERIFY !== undefined,
      certificates: values.DOCKER_CERT_PATH,
    },
    sandboxRuntime: values.AUTOLITH_SANDBOX_RUNTIME,
    sandboxImage: values.AUTOLITH_SANDBOX_IMAGE,
    dataDirectory:
      values.AUTOLITH_DATA_DIR ?? join(values.XDG_DATA_HOME ?? join(homedir(), ".local", "share"), "autolith"),
    secrets: values.OPENAI_API_KEY === undefined ? [] : [values.OPENAI_API_KEY],
  };
}

function modelSettings(values: z.infer<typeof environmentSchema>): ModelSettings {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, AUTOLITH_MODEL: model } = values;
  if (baseUrl === undefined && apiKey === undefined) {
    throw new AutolithError(
      "config",
      "no model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL and AUTOLITH_MODEL for an endpoint of your own",
    );
  }
  if (baseUrl !== undefined && model === undefined) {
    throw new AutolithError(
      "config",
      `AUTOLITH_MODEL is required with OPENAI_BASE_URL: name a model that ${baseUrl} serves`,
    );
  }
  return { baseUrl: baseUrl ?? vendorEndpoint, apiKey: apiKey ?? placeholderKey, model: model ?? defaultModel };
}
