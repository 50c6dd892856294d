import { expect, test } from "vitest";
import { chooseMirror, parseIndexes } from "../../sandbox/setup/mirror.ts";

const afterUpdate = parseIndexes(
  [
    "http://mirror.example/debian-security|bookworm-security|main|Debian|Debian-Security",
    "http://vendor.example/apt|bookworm|main|Vendor|Vendor",
    "http://mirror.example/debian|bookworm|non-free-firmware|Debian|Debian",
    "http://mirror.example/debian|bookworm|main|Debian|Debian",
    "",
  ].join("\n"),
);

test("picks the site whose release file says that it is Debian, not the security archive nor a vendor", () => {
  expect(chooseMirror(afterUpdate, "bookworm")).toBe("http://mirror.example/debian");
});

test("goes by the host's own code name before the first update, when no release file says anything", () => {
  const fresh = afterUpdate.map((index) => ({ ...index, origin: "", label: "" }));
  const withoutVendor = fresh.filter(({ site }) => !site.includes("vendor"));
  expect(chooseMirror(withoutVendor, "bookworm")).toBe("http://mirror.example/debian");
});

test("leaves the choice open on another distribution", () => {
  const ubuntu = parseIndexes("http://mirror.example/ubuntu|noble|main|Ubuntu|Ubuntu\n");
  expect(chooseMirror(ubuntu, undefined)).toBeUndefined();
  expect(chooseMirror([], "bookworm")).toBeUndefined();
});

test("passes over sites that debootstrap cannot read", () => {
  const disc = parseIndexes("cdrom://[Debian]/|bookworm|main|Debian|Debian\n");
  expect(chooseMirror(disc, "bookworm")).toBeUndefined();
});
