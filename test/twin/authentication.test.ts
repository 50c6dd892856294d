import { createSign, generateKeyPairSync } from "node:crypto";
import { createAppAuth } from "@octokit/auth-app";
import { expect, test } from "vitest";
import { appClient, at, clientFor, plainClient, tokenFor } from "./client.ts";
import { startTwin, type Twin } from "./twin.ts";

const MINUTE = 60_000;

function jwt(twin: Twin, claims: object, privateKey = twin.app.privateKey): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${createSign("RSA-SHA256").update(signed).sign(privateKey, "base64url")}`;
}

test("the app is known by its JWT", async () => {
  await using twin = await startTwin({ checkAnswers: true, appSlug: "mender" });
  const { data } = await appClient(twin).rest.apps.getAuthenticated();
  expect(data?.slug).toBe("mender");
  expect(data?.id).toBe(twin.app.id);
  expect(twin.journal.problems()).toEqual([]);
});

test("a JWT is refused when it is badly signed, expired, valid for too long, or of another app", async () => {
  await using twin = await startTwin();
  const now = Math.floor(twin.clock.now() / 1000);
  const good = { iat: now - 30, exp: now + 300, iss: twin.app.id };
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" });
  const attempt = async (token: string) => {
    const answer = await fetch(`${twin.apiUrl}/app`, { headers: { authorization: `Bearer ${token}` } });
    return `${answer.status} ${((await answer.json()) as { message: string }).message}`;
  };
  expect(await attempt(jwt(twin, good, String(other)))).toBe("401 A JSON web token could not be decoded");
  expect(await attempt(jwt(twin, { ...good, exp: now - 1 }))).toMatch(/^401 'Expiration time' claim .* future time/);
  expect(await attempt(jwt(twin, { ...good, exp: now + 900 }))).toMatch(/^401 .* too far in the future$/);
  expect(await attempt(jwt(twin, { ...good, iat: now + 120 }))).toMatch(/^401 'Issued at' claim/);
  expect(await attempt(jwt(twin, { ...good, iss: 1 }))).toBe("404 Integration not found");
  expect(await attempt(`${jwt(twin, good)}`)).toMatch(/^200/);
});

test("an installation token holds what was asked for and nothing else", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const shop = await twin.repositories.add({ owner: "acme", name: "shop" });
  const bank = await twin.repositories.add({ owner: "acme", name: "bank" });
  const octokit = await clientFor(twin, shop, { contents: "read" });
  expect((await octokit.rest.repos.getBranch({ ...at(shop), branch: "main" })).status).toBe(200);
  await expect(octokit.rest.checks.create({ ...at(shop), name: "x", head_sha: "main" })).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining("Resource not accessible by integration"),
  });
  await expect(octokit.rest.repos.get(at(bank))).rejects.toMatchObject({ status: 404 });
  const { data } = await octokit.rest.apps.listReposAccessibleToInstallation();
  expect(data.repositories.map((repository) => repository.name)).toEqual(["shop"]);
  expect(twin.requests.at(-1)?.permissions).toEqual({ metadata: "read", contents: "read" });
  expect(twin.journal.problems()).toEqual([]);
});

test("a token cannot be minted for more than the installation has", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const shop = await twin.repositories.add({ owner: "acme", name: "shop" });
  const elsewhere = await twin.repositories.add({ owner: "rival", name: "shop" });
  const installation_id = twin.installations.covering(shop)?.id ?? 0;
  const { apps } = appClient(twin).rest;
  const workflows = apps.createInstallationAccessToken({ installation_id, permissions: { workflows: "write" } });
  await expect(workflows).rejects.toMatchObject({ status: 422, message: expect.stringContaining("not granted") });
  const foreign = apps.createInstallationAccessToken({ installation_id, repository_ids: [elsewhere.id] });
  await expect(foreign).rejects.toMatchObject({ status: 422, message: expect.stringContaining("parent installation") });
  expect(twin.journal.problems()).toEqual([]);
});

test("a token ends after an hour, when it is revoked, and with its installation", async () => {
  await using twin = await startTwin();
  const shop = await twin.repositories.add({ owner: "acme", name: "shop" });
  const expired = await clientFor(twin, shop);
  twin.clock.advance(61 * MINUTE);
  await expect(expired.rest.repos.get(at(shop))).rejects.toMatchObject({ status: 401, message: /Bad credentials/ });
  const revoked = await clientFor(twin, shop);
  await revoked.rest.apps.revokeInstallationAccessToken();
  await expect(revoked.rest.repos.get(at(shop))).rejects.toMatchObject({ status: 401 });
  const last = await clientFor(twin, shop);
  const installation = twin.installations.covering(shop);
  if (installation === undefined) throw new Error("not installed");
  twin.installations.suspend(installation);
  await expect(last.rest.repos.get(at(shop))).rejects.toMatchObject({ status: 403, message: /suspended/ });
  twin.installations.remove(installation);
  await expect(last.rest.repos.get(at(shop))).rejects.toMatchObject({ status: 401 });
});

test("auth-app mints, keeps and renews tokens against the twin", async () => {
  await using twin = await startTwin();
  const shop = await twin.repositories.add({ owner: "acme", name: "shop" });
  const auth = createAppAuth({
    appId: twin.app.id,
    privateKey: twin.app.privateKey,
    request: plainClient(twin).request,
  });
  const installationId = twin.installations.covering(shop)?.id ?? 0;
  const first = await auth({ type: "installation", installationId });
  const second = await auth({ type: "installation", installationId });
  expect(second.token).toBe(first.token);
  expect(first.token.length).toBeGreaterThan(400);
  expect(twin.journal.of("POST /app/installations/{installation_id}/access_tokens")).toHaveLength(1);
});

test("nobody and the app's JWT get nothing of a repository, and a token nothing of the app", async () => {
  await using twin = await startTwin();
  const shop = await twin.repositories.add({ owner: "acme", name: "shop", private: false });
  await expect(plainClient(twin).rest.repos.get(at(shop))).rejects.toMatchObject({ status: 401 });
  const now = Math.floor(twin.clock.now() / 1000);
  const asApp = plainClient(twin, jwt(twin, { iat: now, exp: now + 60, iss: twin.app.id }));
  await expect(asApp.rest.repos.get(at(shop))).rejects.toMatchObject({ status: 401 });
  const token = await tokenFor(twin, shop);
  await expect(plainClient(twin, token).rest.apps.getAuthenticated()).rejects.toMatchObject({ status: 401 });
});

test("a public repository without the app can be read and not written", async () => {
  await using twin = await startTwin({ checkAnswers: true });
  const shop = await twin.repositories.add({ owner: "acme", name: "shop" });
  const other = await twin.repositories.add({ owner: "other", name: "lib", private: false, installed: false });
  const octokit = await clientFor(twin, shop);
  expect((await octokit.rest.repos.get(at(other))).data.full_name).toBe("other/lib");
  await expect(octokit.rest.checks.create({ ...at(other), name: "x", head_sha: "main" })).rejects.toMatchObject({
    status: 403,
  });
  expect(twin.journal.problems()).toEqual([]);
});
