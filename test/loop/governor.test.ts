import { expect, test } from "vitest";
import { Governor, type Step } from "../../src/loop/governor.ts";

function step(overrides: Partial<Step> = {}): Step {
  return { tree: "t0", action: "execute a", result: "r", redTests: false, ...overrides };
}

test("nudges at the third equal step and stops at the sixth", () => {
  const governor = new Governor();
  const kinds = Array.from({ length: 6 }, () => governor.observe(step()).kind);
  expect(kinds).toEqual(["go-on", "go-on", "nudge", "go-on", "go-on", "stop"]);
});

test("counts equal steps also when others stand between them", () => {
  const governor = new Governor();
  governor.observe(step());
  governor.observe(step({ action: "execute b" }));
  governor.observe(step());
  governor.observe(step({ action: "execute c" }));
  expect(governor.observe(step()).kind).toBe("nudge");
});

test("nudges when three different edits leave the same failure", () => {
  const governor = new Governor();
  const red = (tree: string) =>
    governor.observe(step({ tree, action: `edit ${tree}`, result: "same failure", redTests: true }));
  expect(red("t1").kind).toBe("go-on");
  expect(red("t2").kind).toBe("go-on");
  expect(red("t3")).toMatchObject({ kind: "nudge", text: expect.stringContaining("root cause") });
});

test("does not nudge twice for the same tree", () => {
  const governor = new Governor();
  for (const tree of ["t1", "t2", "t3"])
    governor.observe(step({ tree, action: `edit ${tree}`, result: "same", redTests: true }));
  expect(governor.observe(step({ tree: "t3", action: "run again", result: "same", redTests: true })).kind).toBe(
    "go-on",
  );
});

test("stops after six turns without a tool call, and a tool call starts the count anew", () => {
  const governor = new Governor();
  const monologue = () => governor.observe(step({ action: "monologue" }));
  monologue();
  monologue();
  governor.observe(step());
  const kinds = Array.from({ length: 6 }, () => monologue().kind);
  expect(kinds).toEqual(["go-on", "go-on", "nudge", "go-on", "go-on", "stop"]);
});

test("progress is not a repeat", () => {
  const governor = new Governor();
  for (let index = 0; index < 20; index += 1) {
    expect(
      governor.observe(step({ tree: `t${index}`, action: `edit ${index}`, result: `failure ${index}`, redTests: true }))
        .kind,
    ).toBe("go-on");
  }
});
