/** Limit of one test run. Unit: milliseconds. */
export const defaultTestRunMs = 10 * 60_000;

/** Limit of one execution or shell command of the model. Unit: milliseconds. */
export const defaultExecutionMs = 30_000;

/** Limit of everything that one install does. Unit: milliseconds. */
export const defaultInstallMs = 10 * 60_000;
