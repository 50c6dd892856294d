import type { FixerPlan } from "../model-server/policies/fixer.ts";

/** A demo repository below `repositories/`, and what the scripted model does there. */
export interface DemoRepository {
  readonly name: string;
  /** Name of the repository on the twin. */
  readonly repository: string;
  /** Branch and title of the pull request that brings the bug. */
  readonly branch: string;
  readonly title: string;
  /** What CI runs. */
  readonly command: string;
  readonly plan: FixerPlan;
}

/** One in Python and one in Node, each with a bug that takes more than one line to repair. */
export const demoRepositories: readonly DemoRepository[] = [
  {
    name: "python",
    repository: "invoicing",
    branch: "volume-discounts",
    title: "Grant volume discounts",
    command: "python3 -m pytest",
    plan: {
      look: {
        language: "python",
        code: "from invoicing.discount import STANDARD, percent_for\n{quantity: percent_for(quantity) for quantity in (9, 10, 11, 50, 100, 5000)}",
      },
      edits: [
        {
          path: "invoicing/discount.py",
          old_text:
            "    for tier in tiers:\n        if quantity > tier.quantity:\n            return tier.percent\n    return Decimal(0)\n",
          new_text:
            "    reached = [tier for tier in tiers if quantity >= tier.quantity]\n    if not reached:\n        return Decimal(0)\n    return max(reached, key=lambda tier: tier.quantity).percent\n",
        },
      ],
      root_cause:
        "percent_for returns at the first tier that the quantity exceeds, which is the lowest one, and a quantity that just reaches a tier does not count as reaching it.",
      summary: "Take the highest tier that the quantity reaches, the tier's own quantity included.",
    },
  },
  {
    name: "node",
    repository: "schedule",
    branch: "free-slots",
    title: "Show free slots",
    command: "npm test",
    plan: {
      look: {
        language: "node",
        code: "const { merge } = await import('./src/interval.js');\nmerge([{ start: 900, end: 960 }, { start: 600, end: 660 }, { start: 630, end: 640 }])",
      },
      edits: [
        {
          path: "src/interval.js",
          old_text: "  for (const next of intervals) {",
          new_text: "  for (const next of intervals.toSorted((a, b) => a.start - b.start)) {",
        },
        {
          path: "src/interval.js",
          old_text: "      last.end = next.end;",
          new_text: "      last.end = Math.max(last.end, next.end);",
        },
      ],
      root_cause:
        "merge takes the intervals in the order in which they were booked, and lets a short interval inside a long one shorten it.",
      summary: "Sort the intervals by their start, and keep the later end when two are made one.",
    },
  },
];
