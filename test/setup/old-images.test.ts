import { expect, test } from "vitest";
import { oldTags } from "../../sandbox/setup/old-images.ts";

const now = Date.parse("2026-03-03T12:00:00Z");
const image = (tag: string, created: string) => ({ RepoTags: [tag], Created: Date.parse(created) / 1000 });

test("names our own images of another day that are not in use now, images before their bases", () => {
  const images = [
    image("autolith/base:old", "2026-03-01T12:00:00Z"),
    image("autolith/base:kept", "2026-03-01T12:00:00Z"),
    image("autolith/sandbox:old", "2026-03-01T12:00:00Z"),
    image("autolith/sandbox:young", "2026-03-03T11:00:00Z"),
    image("autolith/service:old", "2026-03-01T12:00:00Z"),
    image("debian:trixie-slim", "2026-03-01T12:00:00Z"),
  ];
  expect(oldTags(images, ["autolith/base:kept"], now)).toEqual(["autolith/sandbox:old", "autolith/base:old"]);
});
