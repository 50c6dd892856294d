import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPackageSources } from "../../src/config/package-sources.ts";

/** A home with files. */
function home(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "autolith-home-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const npmrc =
  "; a comment\nregistry=https://me:secret@npm.example.com/mirror/\n@shop:registry = https://npm.shop.example/\n//npm.example.com/:_authToken=secret\n_password=secret\nhttps-proxy=http://user:secret@proxy.example.com:3128\n";
const pipConf =
  "[global]\nindex-url = https://user:secret@pip.example.com/simple?token=secret\nextra-index-url =\n    https://more.example.com/simple\n    file:///opt/wheels\ntrusted-host = pip.example.com other.example.com\n";

test("takes what npm and pip are set to, and no credential of any kind", () => {
  const sources = readPackageSources({ HOME: home({ ".npmrc": npmrc, ".config/pip/pip.conf": pipConf }) });
  expect(sources).toMatchObject({
    registry: "https://npm.example.com/mirror/",
    scopes: { "@shop": "https://npm.shop.example/" },
    index: "https://pip.example.com/simple",
    moreIndexes: ["https://more.example.com/simple"],
    trustedHosts: ["pip.example.com", "other.example.com"],
    proxies: { https: "http://proxy.example.com:3128/" },
  });
  expect(JSON.stringify(sources)).not.toContain("secret");
});

test("variables go before files", () => {
  const sources = readPackageSources({
    HOME: home({ ".npmrc": npmrc, ".config/pip/pip.conf": pipConf }),
    NPM_CONFIG_REGISTRY: "http://10.0.0.1:4873",
    PIP_INDEX_URL: "http://10.0.0.1/simple",
    https_proxy: "http://u:secret@10.0.0.2:1",
    NO_PROXY: "localhost",
  });
  expect(sources).toMatchObject({
    registry: "http://10.0.0.1:4873/",
    index: "http://10.0.0.1/simple",
    proxies: { https: "http://10.0.0.2:1/", except: "localhost" },
  });
});

test("where only more indexes are set, pip keeps its own", () => {
  const sources = readPackageSources({
    HOME: home({ ".pip/pip.conf": "[install]\nextra-index-url = http://a.example/simple\n" }),
  });
  expect(sources).toMatchObject({ index: undefined, moreIndexes: ["http://a.example/simple"] });
});

test("takes certificates, each once, and never a key", () => {
  const certificate = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;
  const key = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----";
  const folder = home({
    "a.pem": `# A\n${certificate("QQ==")}\n${key}\n`,
    "b.pem": `${certificate("QQ==")}\n${certificate("Qg==")}\n`,
  });
  const sources = readPackageSources({
    HOME: folder,
    SSL_CERT_FILE: join(folder, "a.pem"),
    PIP_CERT: join(folder, "b.pem"),
  });
  expect(sources.certificates).not.toContain("PRIVATE");
  expect(sources.certificates).toContain("Qg==");
  expect(sources.certificates.match(/QQ==/g)).toHaveLength(1);
});

test("what cannot be read or is no address is as if it were not there", () => {
  const sources = readPackageSources({
    HOME: "/nowhere",
    npm_config_registry: "no address",
    PIP_INDEX_URL: "file:///x",
    SSL_CERT_FILE: "/nowhere/x.pem",
  });
  expect(sources).toMatchObject({ registry: undefined, index: undefined });
});
