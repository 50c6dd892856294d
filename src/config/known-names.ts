import { AutolithError } from "../errors.ts";
import { closest } from "./closest.ts";

/** Every `AUTOLITH_*` variable there is, whichever command reads it. */
const autolithNames = [
  "AUTOLITH_MODEL",
  "AUTOLITH_SANDBOX_RUNTIME",
  "AUTOLITH_SANDBOX_IMAGE",
  "AUTOLITH_DATA_DIR",
  "AUTOLITH_PUBLIC_URL",
  "AUTOLITH_DEBOUNCE_SECONDS",
  "AUTOLITH_CONCURRENCY",
];

/** Throws `AutolithError("config")` for an `AUTOLITH_*` variable that nothing reads, with the name that was probably meant. */
export function refuseUnknownNames(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) {
    if (!name.startsWith("AUTOLITH_") || autolithNames.includes(name)) continue;
    const near = closest(name, autolithNames);
    throw new AutolithError("config", `unknown variable ${name}${near === null ? "" : `; did you mean ${near}?`}`);
  }
}
