import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Says, as JSON, what a fresh process finds that loads drizzle with the shortcut: a hook that was there before sees what is left to Node. */
const program = `
  import { registerHooks } from "node:module";
  const left = [];
  registerHooks({
    resolve: (specifier, context, next) => {
      left.push([specifier, context.parentURL ?? ""]);
      return next(specifier, context);
    },
  });
  const { shortcutDrizzle } = await import("./src/cli/shortcut-drizzle.ts");
  shortcutDrizzle();
  const { PgDialect } = await import("drizzle-orm/pg-core");
  const { sql } = await import("drizzle-orm");
  await import("zod");
  const relativeOf = (name) =>
    left.filter(([specifier, parent]) => specifier.startsWith(".") && parent.includes("/node_modules/" + name + "/")).length;
  const query = new PgDialect().sqlToQuery(sql\`select \${1}\`).sql;
  console.log(JSON.stringify({ query, drizzle: relativeOf("drizzle-orm"), zod: relativeOf("zod") > 0 }));
`;

test("drizzle's own files are found without Node's help, and those of others as ever", async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: root });
  expect(JSON.parse(stdout)).toEqual({ query: "select $1", drizzle: 0, zod: true });
});

test("drizzle says of itself that its .js files are ES modules", () => {
  const manifest = readFileSync(join(root, "node_modules/drizzle-orm/package.json"), "utf8");
  expect(JSON.parse(manifest)).toMatchObject({ type: "module" });
});
