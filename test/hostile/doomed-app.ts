import { type DockerSandboxOptions, startDockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import { engineUnderTest, never } from "../docker/engine-under-test.ts";

// An app that will be killed without warning: starts a sandbox under the given instance, lets code run that never
// ends and ignores every signal, and says so.
const [instance = "", code = ""] = process.argv.slice(2);
const under = await engineUnderTest();
// Nobody else's sweep may help: this owner is of no known place.
const labels = { ...under.labels, instance, owner: { ...under.labels.owner, place: "a place of its own" } };
const options: DockerSandboxOptions = { ...under.options, labels };
const sandbox = await startDockerSandbox(options, never);
await sandbox.execute({ language: "python", code: "1", timeoutMs: 10_000 }, never);
process.stdout.write("started\n");
await sandbox.execute({ language: "python", code, timeoutMs: 600_000 }, never);
