import { expect, test } from "vitest";
import { excerpt } from "../../src/runner/excerpt.ts";

const noise = (from: number, count: number) => Array.from({ length: count }, (_, index) => `step ${from + index} done`);

test("a text that fits is shown as it is", () => {
  expect(excerpt("abc", 10)).toBe("abc");
});

test("a long text keeps how it begins, a window around each error, and how it ends", () => {
  const lines = [
    ...noise(1, 200),
    "reading rates.json",
    "ValueError: the cause",
    "  in rate 7",
    ...noise(201, 200),
    "0 errors in set-up",
    ...noise(401, 200),
    "last line",
  ];
  const shown = excerpt(lines.join("\n"), 600);
  expect(shown).toMatchInlineSnapshot(`
    "step 1 done
    step 2 done
    step 3 done
    step 4 done
    step 5 done
    step 6 done
    step 7 done
    step 8 done
    step 9 done
    step 10 done
    step 11 done
    step 12 done
    step 13 done
    step 14 done
    [… 185 lines left out …]
    step 200 done
    reading rates.json
    ValueError: the cause
      in rate 7
    step 201 done
    [… 384 lines left out …]
    step 585 done
    step 586 done
    step 587 done
    step 588 done
    step 589 done
    step 590 done
    step 591 done
    step 592 done
    step 593 done
    step 594 done
    step 595 done
    step 596 done
    step 597 done
    step 598 done
    step 599 done
    step 600 done
    last line"
  `);
});

test("one endless line is cut in its middle and leaves room for the others", () => {
  const shown = excerpt(`first\n${"x".repeat(100_000)}\nAssertionError: 1 != 2\n${"y".repeat(100_000)}\nlast`, 1_000);
  expect(shown.length).toBeLessThan(1_500);
  expect(shown).toMatch(/^first\n/);
  expect(shown).toContain("AssertionError: 1 != 2");
  expect(shown).toMatch(/\nlast$/);
});

test("a flood of error lines takes no more than its room", () => {
  const shown = excerpt(Array.from({ length: 50_000 }, (_, index) => `error ${index}`).join("\n"), 2_000);
  expect(shown.length).toBeLessThan(2_400);
  expect(shown).toContain("error 0\n");
  expect(shown).toMatch(/error 49999$/);
});
