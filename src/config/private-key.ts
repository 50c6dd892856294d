import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { AutolithError, messageOf } from "../errors.ts";

/** Where the App's private key may stand in the environment. */
export interface PrivateKeySource {
  /** The key itself: PEM, PEM with its line ends written as `\n`, or base64 of PEM. */
  readonly PRIVATE_KEY?: string | undefined;
  readonly PRIVATE_KEY_PATH?: string | undefined;
}

/** The App's private key as PKCS#8 PEM. Throws `AutolithError("config")`, never with a part of the key in its message. */
export function readPrivateKey(source: PrivateKeySource): string {
  const { PRIVATE_KEY: text, PRIVATE_KEY_PATH: path } = source;
  if (text !== undefined && path !== undefined) {
    throw new AutolithError("config", "PRIVATE_KEY and PRIVATE_KEY_PATH are both set; which one is meant?");
  }
  if (text !== undefined) return pkcs8(pemOf(text), "PRIVATE_KEY");
  if (path !== undefined) return pkcs8(pemOf(fileText(path)), "PRIVATE_KEY_PATH");
  throw new AutolithError("config", "set PRIVATE_KEY or PRIVATE_KEY_PATH: the key that GitHub made for the App");
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new AutolithError("config", `PRIVATE_KEY_PATH cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function pemOf(text: string): string {
  const unescaped = text.replaceAll("\\n", "\n").trim();
  return unescaped.includes("-----BEGIN") ? unescaped : Buffer.from(unescaped, "base64").toString("utf8");
}

function pkcs8(pem: string, name: string): string {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "rsa") return key.export({ type: "pkcs8", format: "pem" }).toString();
  } catch {
    // What OpenSSL says of a broken key helps nobody, and the value itself must not be shown.
  }
  throw new AutolithError("config", `${name} holds no RSA private key in PEM form`);
}
