/**
 * The reporter that vitest is given by its path. Vitest may send this file through the plug-ins of the repository's
 * configuration, so that it holds nothing: the reporter itself was loaded by node before.
 */
export default globalThis[Symbol.for("autolith.vitest")];
