// Runs the install scripts that a project of one's own has, in their order: own-scripts.mjs PROGRAM NAME...
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [program, ...names] = process.argv.slice(2);
const { scripts = {} } = JSON.parse(readFileSync("package.json", "utf8"));
for (const name of names.filter((each) => typeof scripts[each] === "string")) {
  const { status } = spawnSync(program, ["run", name], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
