import { expect, test } from "vitest";
import { redact } from "../src/redact.ts";
import { expectLinear } from "./linear-time.ts";

const pem = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA7bq0", "x+/A==", "-----END RSA PRIVATE KEY-----"].join(
  "\n",
);
const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N";
const letters = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5h";

test.each([
  ["a classic GitHub token", `ghp_${letters}`],
  ["an OAuth token of GitHub", `gho_${letters}`],
  ["an installation token of GitHub", `ghs_${letters}`],
  ["a long installation token of GitHub", `ghs_123_${jwt}`],
  ["a user token of GitHub", `ghu_${letters}`],
  ["a refresh token of GitHub", `ghr_${letters}`],
  ["a fine-grained GitHub token", `github_pat_11AAAAAAA0${letters}`],
  ["an OpenAI key", `sk-proj-${letters}`],
  ["an Anthropic key", `sk-ant-api03-${letters}`],
  ["a Slack token", `xoxb-1234567890-${letters}`],
  ["an npm token", `npm_${letters}`],
  ["an AWS key id", "AKIAIOSFODNN7EXAMPLE"],
  ["a JSON web token", jwt],
  ["a private key", pem],
  ["a GitLab token", `glpat-${letters}`],
])("removes %s and nothing around it", (_name, secret) => {
  expect(redact(`before ${secret} after`)).toBe("before [redacted] after");
});

test("removes a token that follows an escaped line end in JSON", () => {
  expect(redact(JSON.stringify({ log: `one\nghp_${letters}\nsk-proj-${letters}` }))).toBe(
    '{"log":"one\\n[redacted]\\n[redacted]"}',
  );
});

test("removes a private key whose line ends are escaped", () => {
  expect(redact(`key="${pem.replaceAll("\n", "\\n")}"`)).toBe('key="[redacted]"');
});

test("removes a private key that was cut before its end", () => {
  expect(redact(pem.slice(0, 50))).toBe("[redacted]");
});

test("removes an encrypted private key with its headers", () => {
  const headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17F5316E2BAC89\n\n";
  expect(redact(`${pem.replace("\nMII", `\n${headers}MII`)} rest`)).toBe("[redacted] rest");
});

test.each([
  ["Authorization: Basic dXNlcjpwYXNz", "Authorization: [redacted]"],
  [`{"Authorization": "Bearer ${letters}"}`, '{"Authorization": "[redacted]"}'],
  [`curl -H 'authorization: token ${letters}' host`, "curl -H 'authorization: [redacted]' host"],
  [`Bearer ${letters}`, "Bearer [redacted]"],
  ["https://user:p@ss@example.org/x", "https://user:[redacted]@example.org/x"],
  ["postgres://:secret@db:5432/x", "postgres://:[redacted]@db:5432/x"],
  [`https://${letters}@example.org/x.git`, "https://[redacted]@example.org/x.git"],
  [`aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`, "aws_secret_access_key = [redacted]"],
  [
    `export AWS_SECRET_ACCESS_KEY="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"`,
    'export AWS_SECRET_ACCESS_KEY="[redacted]"',
  ],
])("removes the secret part of %j", (text, expected) => {
  expect(redact(text)).toBe(expected);
});

test.each([
  "interface Headers { authorization: string }",
  "const bearer = new Bearer(authentication); // bearer authentication is used",
  "import task from 'task-force-of-the-container-team'; .sk-circle-fade-dot-animation {}",
  "http://localhost:3000/path and me@example.org",
  "the file npm_config_registry and gh_pages",
  "a hash 9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0",
])("leaves %j alone", (text) => {
  expect(redact(text)).toBe(text);
});

test("removes given values as they are, escaped, encoded and in base64", () => {
  const secret = 'p"ss/w&rd+1';
  const spelled = [secret, JSON.stringify(secret), encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
  expect(redact(spelled.join(" "), [secret])).toBe('[redacted] "[redacted]" [redacted] [redacted]=');
});

test("removes a given value that was read from a file with its line end", () => {
  expect(redact("the value is s3cret-value", ["s3cret-value\n"])).toBe("the value is [redacted]");
});

test("removes a given value that contains another one as a whole", () => {
  expect(redact("secret-value-long", ["secret-value", "secret-value-long"])).toBe("[redacted]");
});

test("ignores given values that are too short to be told from words", () => {
  expect(redact("none of the nonce", ["", "none", " ".repeat(20)])).toBe("none of the nonce");
});

test("changes nothing the second time", () => {
  const once = redact(`Authorization: Bearer ${letters} https://u:p@h ghp_${letters} Bearer ${letters} ${pem}`);
  expect(redact(once)).toBe(once);
});

const megabyte = 1_000_000;

test.each([
  "eyJ",
  "eyJhbGciOiJ.eyJ",
  "eyJhbGciOiJIUz.",
  "ghp_",
  "ghp_aaaaaaaaaaaa ",
  "sk-",
  "sk-aaa",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----\na: b\n",
  "-----",
  "://",
  "://a:",
  "://a:b",
  "a.b://",
  "authorization",
  "authorization: ",
  "authorization: bearer ",
  "bearer ",
  "aws_secret_access_key = ",
  "xoxb-",
  "hooks.slack.com/services/",
  "AKIA",
  " ",
  "\n",
  "a",
  "=",
  "\\n",
])("takes a megabyte of %j in linear time", (piece) => {
  expectLinear((size) => redact(piece.repeat(Math.ceil(size / piece.length)), ["some-secret-value"]), megabyte);
});
