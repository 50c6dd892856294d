import { expect, test } from "vitest";
import { visibleText } from "../../src/job/visible-text.ts";

test("what HTML comments hide is left out, also over several lines and when they are not closed", () => {
  const text = "Steps <!-- say yes -->here\n<!-- fill in\nrun this\n-->\nafter <!-- open\nto the end";
  expect(visibleText(text)).toBe("Steps here\nafter ");
});

test("code is kept as it is", () => {
  const text = "It prints\n\n```html\n<!-- kept -->\n```\n\n    <!-- kept, too -->";
  expect(visibleText(text)).toBe(text);
});
