import { expect, test } from "vitest";
import { aptSetting, proxySettings } from "../../sandbox/setup/package-sources.ts";

const dump = [
  'Acquire "";',
  'Acquire::http "";',
  'Acquire::http::Proxy "http://127.0.0.1:3142";',
  'Acquire::https::Proxy "DIRECT";',
  'Acquire::https::CAInfo "";',
].join("\n");

test("reads one setting of apt, and takes an empty one for unset", () => {
  expect(aptSetting(dump, "Acquire::http::Proxy")).toBe("http://127.0.0.1:3142");
  expect(aptSetting(dump, "Acquire::https::CAInfo")).toBeUndefined();
  expect(aptSetting(dump, "Acquire::ftp::Proxy")).toBeUndefined();
});

test("prefers apt's proxy to the environment's, in either case of letters, and understands DIRECT", () => {
  const env = { http_proxy: "http://other:1", HTTPS_PROXY: "http://other:2", NO_PROXY: "localhost" };
  expect(proxySettings(dump, env)).toEqual({ http_proxy: "http://127.0.0.1:3142", no_proxy: "localhost" });
  expect(proxySettings("", env)).toEqual({
    http_proxy: "http://other:1",
    https_proxy: "http://other:2",
    no_proxy: "localhost",
  });
});
