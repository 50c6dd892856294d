import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeStoreFolder, removeAbandonedStores } from "../../src/checkout/store-folder.ts";

const program = `
  const { makeStoreFolder } = await import(${JSON.stringify(new URL("../../src/checkout/store-folder.ts", import.meta.url).href)});
  console.log(await makeStoreFolder());
  setInterval(() => {}, 1000);
`;

/** A process that has made a store, and lives until it is killed. */
async function otherProcess() {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [folder] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { folder: folder.trim(), kill };
}

test("deletes what a killed process has checked out, and nothing of those that live", async () => {
  const [killed, living, own] = await Promise.all([otherProcess(), otherProcess(), makeStoreFolder()]);
  try {
    mkdirSync(join(killed.folder, "objects.git"));
    await killed.kill();
    await removeAbandonedStores();
    expect([killed.folder, living.folder, own].map(existsSync)).toEqual([false, true, true]);
  } finally {
    await living.kill();
    await removeAbandonedStores();
    rmSync(own, { recursive: true });
  }
  expect(existsSync(living.folder)).toBe(false);
});

test("deletes a store without an owner only when it is a day old, and follows no link", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "autolith-test-"));
  const link = join(tmpdir(), `autolith-store-link-${process.pid}`);
  const [young, old] = [0, 1].map(() => mkdtempSync(join(tmpdir(), "autolith-store-"))) as [string, string];
  try {
    writeFileSync(join(elsewhere, "owner.json"), JSON.stringify({ pid: 2 ** 22 + 1, started: "1", place: "" }));
    symlinkSync(elsewhere, link);
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    utimesSync(old, twoDaysAgo, twoDaysAgo);
    utimesSync(elsewhere, twoDaysAgo, twoDaysAgo);
    await removeAbandonedStores();
    expect([young, old, link, join(elsewhere, "owner.json")].map(existsSync)).toEqual([true, false, true, true]);
  } finally {
    for (const path of [link, young, old, elsewhere]) rmSync(path, { recursive: true, force: true });
  }
});
