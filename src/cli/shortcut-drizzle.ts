import { registerHooks } from "node:module";

/** A file of drizzle's own, wherever a package manager has put it. */
const drizzleFile = /\/node_modules\/drizzle-orm\/(?!.*\/node_modules\/)[^?#]+\.js$/;

/**
 * Lets Node load drizzle without asking, for each of its 150 files, what kind of module a `.js` file of that package is: it answers by
 * parsing the package's `exports` anew (`getPackageScopeConfig` in Node 24), which are 180 KB there, and so takes a second and 50 MB
 * that stay with the process. All of them are ES modules, by the `type` of drizzle's package.json. Call it before drizzle is loaded.
 */
export function shortcutDrizzle(): void {
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL = "" } = context;
      const isOwn = specifier.startsWith(".") && specifier.endsWith(".js") && drizzleFile.test(parentURL);
      if (!isOwn) return next(specifier, context);
      return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
    },
  });
}
