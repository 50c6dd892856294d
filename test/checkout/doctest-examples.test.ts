import { expect, test } from "vitest";
import { changedExample } from "../../src/checkout/doctest-examples.ts";

const source = `"""Sizes.

>>> size(1)
'1 Byte'
"""


def size(count):
    """Says how large it is.

    >>> size(1000)
    '1 kB'

    Large ones, too:

    >>> for each in (10, 20):
    ...     print(size(each))
    10 Bytes
    20 Bytes
    """
    unit = ">>> none"
    return "%d kB" % (count // 1000)
`;

test("code around the examples may change, and the words between them", () => {
  expect(changedExample(source, source)).toBeNull();
  expect(changedExample(source, source.replace("count // 1000", "round(count / 1000)"))).toBeNull();
  expect(changedExample(source, source.replace("Large ones, too:", "Large ones:"))).toBeNull();
  expect(
    changedExample(source, source.replace("def size(count):", "LIMIT = 1\n\n\ndef size(count, unit=None):")),
  ).toBeNull();
});

test.each([
  ["an expected value", "'1 kB'", "'2 kB'", 12],
  ["an example's code", "size(1000)", "size(1024)", 11],
  ["a line of the output", "    20 Bytes\n", "", 19],
  ["an example less", "    >>> size(1000)\n    '1 kB'\n", "", 14],
  ["an example more", "    Large ones", "    >>> 1\n    1\n\n    Large ones", 14],
  ["a directive", "size(1)\n", "size(1)  # doctest: +SKIP\n", 3],
  ["an example in a literal of its own", "    Large ones, too:\n", '    """\n    other = """\n', 14],
])("sees %s", (_, old, now, line) => {
  expect(source).toContain(old);
  expect(changedExample(source, source.replace(old, now))).toBe(line);
});

test("examples that become a comment are gone", () => {
  const commented = source.replace("    >>> size(1000)\n    '1 kB'", "    ").concat("# >>> size(1000)\n# '1 kB'\n");
  expect(changedExample(source, commented)).not.toBeNull();
});
