import type { EnvironmentProblem, Failure } from "./environment-problem.ts";

/**
 * Ports of services that CI starts beside a job. A refused connection to another port of this machine may be a server
 * of the repository's own that does not start.
 */
const servicePorts: Readonly<Record<string, string>> = {
  "1433": "SQL Server",
  "2181": "ZooKeeper",
  "3306": "MySQL",
  "4222": "NATS",
  "5432": "PostgreSQL",
  "5672": "RabbitMQ",
  "6379": "Redis",
  "8123": "ClickHouse",
  "9000": "MinIO",
  "9042": "Cassandra",
  "9092": "Kafka",
  "9200": "Elasticsearch",
  "11211": "Memcached",
  "27017": "MongoDB",
};
const refused = /ECONNREFUSED|Connection ?refused|ENETUNREACH|Network is unreachable|EHOSTUNREACH|No route to host/i;
const unresolved =
  /ENOTFOUND|EAI_AGAIN|getaddrinfo|gaierror|Name or service not known|Temporary failure in name resolution|Failed to resolve(?! import)/;
/** A host and a port, as drivers of databases and clients of HTTP name them. */
const places = [
  /(?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH) ([\w.:-]+):(\d{2,5})\b/,
  /host='?([\w.:-]+)'?, port=(\d{2,5})/,
  /server (?:at|on) ["']([\w.:-]+)["'](?: \([^)]*\))?,? port (\d{2,5})/,
  /connecting to ([\w.-]+):(\d{2,5})/,
  /(?:\/\/|@| )([\w.-]+):(\d{2,5})\b/,
];
const local = /^(?:localhost|127\.[\d.]+|::1|0\.0\.0\.0|\[::1\])$/;

/** A host that has no name here, or a service that is not there. */
export function missingService({ text }: Failure): EnvironmentProblem | null {
  if (unresolved.test(text)) {
    const host = /(?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)|Failed to resolve '([^']+)'/.exec(text);
    return problem(host?.[1] ?? host?.[2] ?? "a host on the network");
  }
  if (!refused.test(text)) return null;
  const [, host, port] = places.map((place) => place.exec(text)).find((match) => match !== null) ?? [];
  if (host === undefined || port === undefined) return null;
  const service = servicePorts[port];
  if (local.test(host) && service === undefined) return null;
  return problem(service === undefined ? `${host}:${port}` : `${service} at ${host}:${port}`);
}

function problem(place: string): EnvironmentProblem {
  return { kind: "missing-service", detail: `the tests connect to ${place}, and a sandbox has no network` };
}
