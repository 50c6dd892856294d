import { afterAll, beforeAll, expect, test } from "vitest";
import { honestFixer } from "../model-server/policies/fixer.ts";
import { startService, type Service } from "./run-serve.ts";
import { pythonProject } from "./projects.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  console.log(service.log());
  await service[Symbol.asyncDispose]();
});

test("thin", async () => {
  const { twin } = service;
  service.think(honestFixer({ edits: pythonProject.repair, root_cause: "Cause.", summary: "Corrected the code." }));
  const repository = await twin.repositories.add({ owner: "acme", name: "words", files: { "README.md": "x" } });
  const ada = twin.accounts.addUser("ada");
  twin.repositories.permit(repository, ada, "write");
  await twin.repositories.commit(repository, { branch: "topic", files: pythonProject.files, author: ada });
  const pull = await twin.pulls.open(repository, { head: "topic", author: ada });
  const steps = [{ uses: "actions/checkout@v4" }, { run: pythonProject.command, output: "2 failed", exitCode: 1 }];
  await twin.workflows.run(repository, { branch: "topic", jobs: [{ name: "test", steps }] });
  const end = Date.now() + 100_000;
  while (Date.now() < end) {
    await new Promise((r) => setTimeout(r, 200));
    const own = [...repository.checkRuns.values()].find((run) => run.suite.app.id === twin.app.id);
    if (own?.status === "completed") break;
  }
  for (const run of repository.checkRuns.values()) console.log(run.name, run.status, run.conclusion, run.output.title, run.output.summary);
  console.log(service.traces().slice(0, 3000));
  for (const c of pull.comments) console.log(c.body);
  for (const p of twin.pulls.of(repository)) console.log(p.number, p.title, p.body, p.pull.base, p.pull.head.ref);
  console.log(twin.journal.problems());
  console.log(twin.requests.map((r) => `${r.at} ${r.method} ${r.path} ${r.status}`).join("\n"));
  expect(twin.journal.problems()).toEqual([]);
});
