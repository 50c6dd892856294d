import { expect, test } from "vitest";
import { knownBots } from "../../src/config/known-bots.ts";
import { parseRepoConfig } from "../../src/config/repo-config.ts";
import { reviewSettings } from "../../src/config/review-settings.ts";
import { isAllBy } from "../../src/review/authorship.ts";

const id = knownBots.dependabot;
const bot = { id, signed: true };
const own = { sha: "a", authorId: id, committerId: 19_864_447, verified: true, message: "Bump" };

test.each([
  ["the bot's own commits, made through GitHub", [own, { ...own, committerId: id }], true],
  ["no commit", [], false],
  ["more commits than are listed", null, false],
  ["a person's commit on top", [own, { ...own, authorId: 7, committerId: 7 }], false],
  ["the bot's address in a commit that somebody signed", [{ ...own, committerId: 7 }], false],
  ["the bot's address in a commit that nobody signed", [{ ...own, committerId: id, verified: false }], false],
  ["an author that GitHub does not know", [{ ...own, authorId: null }], false],
])("%s: written by the bot: %s", (_, commits, expected) => {
  expect(isAllBy(bot, commits)).toBe(expected);
});

test("a bot that does not sign has to be listed as one", () => {
  expect(isAllBy({ id, signed: false }, [{ ...own, committerId: id, verified: false }])).toBe(true);
});

test("the list of bots is that of the repository, by known name or id", () => {
  const config = (text: string) => {
    const parsed = parseRepoConfig(text);
    return parsed.kind === "valid" ? reviewSettings(parsed.config) : parsed.message;
  };
  expect(config("")).toMatchObject({ event: "comment", approve: false, bots: { length: 4 } });
  expect(config("review:\n  bots: [renovate, 77, { id: 78, signed: false }]\n  event: request_changes\n")).toEqual({
    bots: [
      { id: knownBots.renovate, signed: true },
      { id: 77, signed: true },
      { id: 78, signed: false },
    ],
    event: "request_changes",
    approve: false,
  });
  expect(config("review:\n  bots: []\n")).toMatchObject({ bots: [] });
  expect(config("review:\n  bots: ['dependabot[bot]']\n")).toEqual(expect.any(String));
});
