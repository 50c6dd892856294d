import { expect, test } from "vitest";
import { encodeLabels } from "../../src/sandbox/container-labels.ts";
import { currentProcess, type ProcessIdentity } from "../../src/sandbox/process-identity.ts";
import { isAbandoned, type LeftOver } from "../../src/sandbox/reaper.ts";

const here = await currentProcess();
const elsewhere: ProcessIdentity = { ...here, place: "another machine" };
const now = new Date("2026-01-01T12:00:00Z");
const minutesAgo = (minutes: number) => now.getTime() - minutes * 60_000;

function leftOver(owner: ProcessIdentity, overrides: Partial<LeftOver> = {}): LeftOver {
  const labels = encodeLabels({ instance: "i", run: "r", role: "run", owner });
  return { id: "c", labels, running: true, createdMs: minutesAgo(300), ...overrides };
}

test.each<[string, LeftOver, boolean]>([
  ["runs for this process", leftOver(here), false],
  ["runs for a process of another machine", leftOver(elsewhere), false],
  ["runs for a process that is gone", leftOver({ ...here, started: "1" }), true],
  ["was just made here and does not run yet", leftOver(here, { running: false, createdMs: minutesAgo(1) }), false],
  [
    "was just made elsewhere and does not run yet",
    leftOver(elsewhere, { running: false, createdMs: minutesAgo(1) }),
    false,
  ],
  [
    "was made elsewhere long ago and does not run",
    leftOver(elsewhere, { running: false, createdMs: minutesAgo(61) }),
    true,
  ],
  ["has labels that name no owner", leftOver(here, { labels: {} }), false],
  ["does not say when it was made", leftOver(elsewhere, { running: false, createdMs: Number.NaN }), false],
])("judges a container that %s", async (_name, found, expected) => {
  expect(await isAbandoned(found, here, now)).toBe(expected);
});
