import { expect, test } from "vitest";
import {
  decideInstallationDeleted,
  decideInstallationSuspended,
  decideRepositoriesRemoved,
} from "../../src/webhook/installation.ts";
import { context } from "./event-payloads.ts";

test("removing the App, suspending it and taking repositories from it end what is under way there", () => {
  const installation = { id: 42 };
  const lost = { kind: "lost", installationId: 42, repositoryIds: "all" };
  expect(decideInstallationDeleted({ installation }, context)).toEqual({ ...lost, forget: true });
  expect(decideInstallationSuspended({ installation }, context)).toEqual({ ...lost, forget: false });
  const removed = {
    installation,
    repositories_removed: [
      { id: 7, name: "shop" },
      { id: 8, name: "site" },
    ],
  };
  expect(decideRepositoriesRemoved(removed, context)).toEqual({ ...lost, repositoryIds: [7, 8], forget: true });
});
