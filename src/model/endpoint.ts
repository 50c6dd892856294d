import { AutolithError } from "../errors.ts";

/** Where requests go, taken apart once. */
export interface Endpoint {
  /** Without query and fragment. */
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, string>>;
  /** Host and path, for messages; never holds credentials. */
  readonly label: string;
  /** Host and port that a connection is made to, for messages. */
  readonly address: string;
  /** The only headers that are sent, apart from `accept` and `content-type`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The vendor's own API names the limit of an answer differently from most others. */
  readonly isOpenAi: boolean;
}

/** Throws `AutolithError` ("config") for an address that no request can go to, or a key that no header can hold. */
export function endpointOf(baseUrl: string, apiKey: string): Endpoint {
  const url = parse(baseUrl);
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new AutolithError(
      "config",
      "the model's key is empty, or holds white space or other characters that no key has: check OPENAI_API_KEY",
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  const isAzure = url.hostname.endsWith(".azure.com");
  return {
    baseUrl: `${url.origin}${path}`,
    query: Object.fromEntries(url.searchParams),
    label: `${url.host}${path}`,
    address: `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`,
    headers: {
      authorization: `Bearer ${apiKey}`,
      "user-agent": "autolith",
      // https://learn.microsoft.com/en-us/azure/ai-services/openai/reference#authentication
      ...(isAzure ? { "api-key": apiKey } : {}),
    },
    isOpenAi: url.hostname === "api.openai.com" || isAzure,
  };
}

function parse(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new AutolithError("config", "the model's address is not an http or https URL: check OPENAI_BASE_URL");
  }
  if (url.username !== "" || url.password !== "") {
    throw new AutolithError("config", "the model's address holds credentials: put the key into OPENAI_API_KEY");
  }
  return url;
}
