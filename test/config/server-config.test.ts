import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readServerSettings } from "../../src/config/server-config.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pkcs1 = pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
const pkcs8 = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();

function environment(overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { APP_ID: "4711", PRIVATE_KEY: pkcs1, WEBHOOK_SECRET: "a secret of our own", ...overrides };
}

test("three variables are enough, and everything else has a default", () => {
  expect(readServerSettings(environment())).toEqual({
    appId: 4711,
    privateKey: pkcs8,
    webhookSecret: "a secret of our own",
    github: { apiUrl: "https://api.github.com", webUrl: "https://github.com" },
    listen: { host: "127.0.0.1", port: 3000 },
    publicUrl: undefined,
    databaseUrl: undefined,
    debounceMs: 90_000,
    concurrency: 2,
    logLevel: "info",
    secrets: ["a secret of our own", pkcs8],
  });
});

test.each([undefined, "", "  ", "development", "Development"])("the webhook secret %j is refused", (secret) => {
  expect(() => readServerSettings(environment({ WEBHOOK_SECRET: secret }))).toThrow(/WEBHOOK_SECRET/);
});

test.each([
  ["APP_ID", "my-app"],
  ["APP_ID", "0"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["GHE_HOST", "https://git.example.org"],
  ["GHE_PROTOCOL", "ssh"],
  ["DATABASE_URL", "mysql://localhost/autolith"],
  ["AUTOLITH_PUBLIC_URL", "autolith.example.org"],
  ["AUTOLITH_DEBOUNCE_SECONDS", "soon"],
  ["AUTOLITH_CONCURRENCY", "0"],
  ["PRIVATE_KEY", "not a key"],
])("%s=%s is refused by name", (name, value) => {
  expect(() => readServerSettings(environment({ [name]: value }))).toThrow(new RegExp(name));
});

test("an enterprise host serves the API below /api/v3, by the protocol asked for", () => {
  const settings = readServerSettings(environment({ GHE_HOST: "127.0.0.1:4000", GHE_PROTOCOL: "http" }));
  expect(settings.github).toEqual({ apiUrl: "http://127.0.0.1:4000/api/v3", webUrl: "http://127.0.0.1:4000" });
});

test.each([
  ["PKCS#8", pkcs8],
  ["line ends written as backslash and n", pkcs1.replaceAll("\n", "\\n")],
  ["base64 of the PEM", Buffer.from(pkcs1).toString("base64")],
])("the private key may be given as %s", (_form, key) => {
  expect(readServerSettings(environment({ PRIVATE_KEY: key })).privateKey).toBe(pkcs8);
});

test("the private key may lie in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "autolith-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "app.pem");
  writeFileSync(path, pkcs1);
  expect(readServerSettings(environment({ PRIVATE_KEY: "", PRIVATE_KEY_PATH: path })).privateKey).toBe(pkcs8);
});

test("a key that is not RSA, both places or neither are refused without showing the key", () => {
  const other = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  for (const wrong of [{ PRIVATE_KEY: other }, { PRIVATE_KEY_PATH: "/no/such/file" }, { PRIVATE_KEY: undefined }]) {
    expect(() => readServerSettings(environment(wrong))).toThrow(/^(?!.*BEGIN)[\s\S]*PRIVATE_KEY/);
  }
});

test("an unknown AUTOLITH name is an error that says what was probably meant", () => {
  expect(() => readServerSettings(environment({ AUTOLITH_PUBLIC_URI: "https://example.org" }))).toThrow(
    "unknown variable AUTOLITH_PUBLIC_URI; did you mean AUTOLITH_PUBLIC_URL?",
  );
});

test("the names of autolith fix are known too", () => {
  expect(readServerSettings(environment({ AUTOLITH_MODEL: "gpt-5.1", AUTOLITH_DATA_DIR: "/data" })).appId).toBe(4711);
});

test("the database's password is among the values to redact", () => {
  const settings = readServerSettings(environment({ DATABASE_URL: "postgres://autolith:p%40ss%2Fword@db/autolith" }));
  expect(settings.secrets).toContain("p@ss/word");
});
