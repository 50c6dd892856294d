import { expect, test } from "vitest";
import { outputText } from "../../src/runner/output-text.ts";

test("colours go, and a progress line is shown in its last state", () => {
  expect(outputText("\u001b[31mred\u001b[0m\n10%\r50%\r100%\nend\r\n")).toBe("red\n100%\nend\n");
});

test("of many equal lines in a row only the first is shown, with how many there were", () => {
  expect(outputText(`start\n${"retrying\n".repeat(500)}end`)).toBe(
    "start\nretrying\n[… 499 more lines like this one …]\nend",
  );
});

test("a few equal lines, and empty ones, stay", () => {
  expect(outputText("a\na\na\n\n\n\n\n\nb")).toBe("a\na\na\n\n\n\n\n\nb");
});
