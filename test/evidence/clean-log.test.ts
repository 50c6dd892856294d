import { expect, test } from "vitest";
import { cleanLog } from "../../src/evidence/clean-log.ts";
import { expectLinear } from "../linear-time.ts";

const at = "2026-01-02T03:04:05.1234567Z";

test.each([
  ["a byte order mark before the first stamp", `\ufeff${at} hello`, "hello"],
  ["colours", `${at} \u001b[36;1mpytest -q\u001b[0m`, "pytest -q"],
  [
    "links and titles of terminals",
    `${at} \u001b]0;title\u0007\u001b]8;;https://x\u001b\\text\u001b]8;;\u001b\\`,
    "text",
  ],
  ["progress that is written over", `${at} 10%\r50%\r100%`, "100%"],
  ["a carriage return at the end", `${at} done\r`, "done"],
  ["other control characters", `${at} a\u0000b\u0008c`, "abc"],
  ["an escape that is cut off", `${at} a\u001b[3`, "a3"],
])("%s: only the text is left", (_, raw, text) => {
  expect(cleanLog(raw)).toEqual([{ at: Date.parse(at), text }]);
});

test("a line without a stamp has no time, and a line of data is cut", () => {
  const [plain, long] = cleanLog(`plain\n${"x".repeat(100_000)}`);
  expect(plain).toEqual({ at: null, text: "plain" });
  expect(long?.text).toHaveLength(4_000);
});

test("a log of escapes is cleaned in linear time", () => {
  expectLinear((size) => cleanLog(`${"\u001b]".repeat(size)}\n${"\u001b[0".repeat(size)}`), 200_000);
});
