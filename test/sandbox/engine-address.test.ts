import { expect, test } from "vitest";
import { describeAddress, type EngineSettings, engineAddress } from "../../src/sandbox/engine-address.ts";

test.each<[EngineSettings, object | null, string?]>([
  [{}, null],
  [{ dockerHost: "" }, null],
  [{ dockerHost: "unix:///run/d.sock" }, { kind: "socket", path: "/run/d.sock" }, "unix:///run/d.sock"],
  [{ dockerHost: "tcp://10.0.0.1:2375" }, { kind: "http", host: "10.0.0.1", port: 2375 }, "http://10.0.0.1:2375"],
  [{ dockerHost: "engine:99" }, { kind: "http", host: "engine", port: 99 }],
  [{ dockerHost: "tcp://[::1]" }, { kind: "http", host: "::1", port: 2375 }],
  [{ dockerHost: "tcp://engine:2376" }, { kind: "https", host: "engine", port: 2376, certificates: null }],
  [
    { dockerHost: "tcp://engine", tls: true, certificates: "/certs" },
    { kind: "https", host: "engine", port: 2376, certificates: "/certs" },
  ],
  [{ dockerHost: "https://engine" }, { kind: "https", host: "engine", port: 443, certificates: null }],
  [{ dockerHost: "ssh://me@engine" }, { kind: "ssh", host: "engine", port: 22, user: "me" }, "ssh://me@engine:22"],
])("reads %j", (settings, expected, name) => {
  const address = engineAddress(settings);
  expect(address).toEqual(expected);
  if (name !== undefined && address !== null) expect(describeAddress(address)).toBe(name);
});

test.each(["ftp://engine", "tcp://", "unix://", "tcp://engine:99999"])(
  "refuses %s and says what it knows",
  (dockerHost) => {
    expect(() => engineAddress({ dockerHost })).toThrow(/DOCKER_HOST is ".*", which is none of unix:/);
  },
);
