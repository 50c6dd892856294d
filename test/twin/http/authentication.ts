import { createVerify } from "node:crypto";
import type { World } from "../world/world.ts";
import { ApiError } from "./answer.ts";
import type { Identity } from "./call.ts";

const LONGEST_JWT_SECONDS = 600;
/** GitHub is lenient by some seconds where the clocks differ. */
const LEEWAY_SECONDS = 5;

/** Works out who a request comes from. @throws ApiError 401 as GitHub words it */
export function authenticate(world: World, authorization: string | undefined): Identity {
  if (authorization === undefined || authorization === "") return { kind: "anonymous" };
  const value = /^(?:bearer|token) (\S+)$/i.exec(authorization)?.[1];
  if (value === undefined) throw badCredentials();
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(value) && !value.startsWith("ghs_")) {
    verifyJwt(world, value);
    return { kind: "app" };
  }
  const token = world.tokens.find(value);
  if (token === undefined) throw badCredentials();
  return { kind: "installation", token };
}

/** The 401 for a credential that GitHub does not know, or not any more. */
function badCredentials(): ApiError {
  return new ApiError(401, "Bad credentials");
}

/** Checks an app's JWT: algorithm, signature, issuer, and times of at most ten minutes. */
function verifyJwt(world: World, jwt: string): void {
  const [head = "", claims = "", signature = ""] = jwt.split(".");
  const header = read(head);
  const payload = read(claims);
  const verified =
    header?.["alg"] === "RS256" &&
    createVerify("RSA-SHA256").update(`${head}.${claims}`).verify(world.options.publicKey, signature, "base64url");
  if (payload === undefined || !verified) throw new ApiError(401, "A JSON web token could not be decoded");
  if (![String(world.app.id), `Iv23li${world.app.slug}`].includes(String(payload["iss"])))
    throw new ApiError(404, "Integration not found");
  verifyTimes(payload["iat"], payload["exp"], Math.floor(world.clock.now() / 1000));
}

function verifyTimes(iat: unknown, exp: unknown, now: number): void {
  if (!Number.isInteger(iat) || (iat as number) > now + LEEWAY_SECONDS) {
    throw new ApiError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  if (!Number.isInteger(exp) || (exp as number) <= now) {
    const meaning = "must be a numeric value representing the future time at which the assertion expires";
    throw new ApiError(401, `'Expiration time' claim ('exp') ${meaning}`);
  }
  if ((exp as number) > now + LONGEST_JWT_SECONDS + LEEWAY_SECONDS) {
    throw new ApiError(401, "'Expiration time' claim ('exp') is too far in the future");
  }
}

function read(part: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
