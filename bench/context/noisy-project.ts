import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Answer, calls } from "../../test/model-server/answer.ts";

const source = `"""Prices of an order."""
import logging

log = logging.getLogger("shop")
RATES = {"SE": 0.25, "DE": 0.19, "FI": 0.24, "DK": 0.25}


def rate_of(country):
    for known, rate in sorted(RATES.items()):
        log.warning("looking at %s while searching %s: rate %.2f, valid since 2020-01-01", known, country, rate)
    return RATES[country]


def total(lines, country):
    subtotal = 0
    for line in lines:
        log.warning("line %s: %s x %s", line["name"], line["count"], line["price"])
        subtotal += line["price"]
    print("\\n".join("progress: %d lines priced" % len(lines) for _ in range(60)))
    return {"subtotal": subtotal, "tax": subtotal * rate_of(country), "currency": "EUR", "lines": len(lines)}
`;

const tests = `import pytest

from shop.prices import total

COUNTRIES = ["SE", "DE", "FI", "DK"]
LINES = [{"name": "item %d" % n, "count": n % 3 + 1, "price": 10 * n} for n in range(1, 25)]


@pytest.mark.parametrize("country", COUNTRIES)
@pytest.mark.parametrize("size", [5, 10, 24])
def test_total(country, size):
    lines = LINES[:size]
    priced = total(lines, country)
    assert priced["subtotal"] == sum(line["count"] * line["price"] for line in lines)
    assert priced["lines"] == size


@pytest.mark.parametrize("country", COUNTRIES)
def test_empty(country):
    assert total([], country)["subtotal"] == 0
`;

/** Writes a project whose tests log and print a lot, and of whose tests many fail alike; gives the command that runs them. */
export function writeNoisyProject(folder: string): string {
  const files = {
    "shop/__init__.py": "",
    "shop/prices.py": source,
    "tests/test_prices.py": tests,
    "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return "python3 -m pytest";
}

const line = '        subtotal += line["price"]\n';
const wrong = '        subtotal += line["price"] + line["count"]\n';
const right = '        subtotal += line["price"] * line["count"]\n';
const edit = (old_text: string, new_text: string) => calls("edit_file", { path: "shop/prices.py", old_text, new_text });

/** Ten iterations as models make them: the same runs and files again and again, one wrong edit, then the right one. */
export const tenIterations: readonly Answer[] = [
  calls("run_tests", {}),
  calls("read_file", { path: "shop/prices.py" }),
  calls("execute", {
    language: "python",
    code: 'from shop.prices import total\ntotal([{"name": "a", "count": 2, "price": 10}] * 30, "SE")',
  }),
  edit(line, wrong),
  calls("run_tests", {}),
  calls("shell", { command: "python3 -m pytest -q 2>&1" }),
  calls("read_file", { path: "shop/prices.py" }),
  edit(wrong, right),
  calls("shell", { command: "python3 -m pytest -q 2>&1" }),
  calls("run_tests", {}),
];
