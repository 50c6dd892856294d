import { chmod, cp, mkdir, rename, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { imageRecipe, sandboxImage } from "../../src/sandbox/image.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const checkout = fileURLToPath(new URL("../../", import.meta.url));

async function copyOfCheckout(): Promise<string> {
  const root = await temporaryFolder();
  for (const path of ["package.json", "sandbox"]) await cp(join(checkout, path), join(root, path), { recursive: true });
  return root;
}

test("names the same image in another folder, whatever the times and modes of the files", async () => {
  const root = await copyOfCheckout();
  const recipe = await imageRecipe(root);
  const dockerfile = join(root, "sandbox/Dockerfile");
  await utimes(dockerfile, new Date(0), new Date(0));
  await chmod(dockerfile, 0o755);
  const cache = join(root, "sandbox/supervisor/__pycache__");
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, "x.pyc"), "compiled");
  await writeFile(join(root, "sandbox/drivers/.swp"), "an editor's");
  expect(await imageRecipe(root)).toEqual(recipe);
  expect(recipe.tag).toMatch(/^autolith\/sandbox:[0-9a-f]{16}$/);
  expect(await sandboxImage(root)).toBe(recipe.tag);
});

test("names another image, on the same base, when a program in it changes, moves or is new", async () => {
  const root = await copyOfCheckout();
  const before = await imageRecipe(root);
  await writeFile(join(root, "sandbox/drivers/new.py"), "x = 1\n");
  const added = await imageRecipe(root);
  await rename(join(root, "sandbox/drivers/new.py"), join(root, "sandbox/plugins/new.py"));
  const moved = await imageRecipe(root);
  expect(new Set([before.tag, added.tag, moved.tag]).size).toBe(3);
  expect(new Set([before.base, added.base, moved.base]).size).toBe(1);
  expect(moved.programs.map(({ path }) => path)).toContain("plugins/new.py");
});

test("names another base when its packages change", async () => {
  const root = await copyOfCheckout();
  const before = await imageRecipe(root);
  await writeFile(join(root, "sandbox/setup/base.json"), "{}");
  const after = await imageRecipe(root);
  expect(after.base).not.toBe(before.base);
  expect(after.tag).not.toBe(before.tag);
});
