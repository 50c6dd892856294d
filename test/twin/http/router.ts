import type { Route } from "./call.ts";

/** The route of a request, and what its path says. */
export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parameters that may hold slashes, written plainly or encoded. */
const LONG_PARAMETERS = new Set(["ref", "branch", "basehead"]);

interface Compiled {
  readonly route: Route;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly fixedParts: number;
}

/** Finds the route of a request, the most specific one first. */
export class Router {
  readonly #routes: readonly Compiled[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map(compile).sort((left, right) => right.fixedParts - left.fixedParts);
  }

  /** The route of a method and an undecoded path. */
  match(method: string, path: string): Match | undefined {
    for (const candidate of this.#routes) {
      if (candidate.method !== method) continue;
      const values = candidate.pattern.exec(path);
      if (values === null) continue;
      const pairs = candidate.names.map((name, index) => [name, decode(values[index + 1] ?? "")]);
      return { route: candidate.route, parameters: Object.fromEntries(pairs) };
    }
    return undefined;
  }
}

function compile(route: Route): Compiled {
  const [method = "", template = ""] = route.on.split(" ");
  const names: string[] = [];
  const pattern = template.replace(/\/?\{(\w+)\}|[.*+?^$()|[\]\\]/g, (text, name: string | undefined) => {
    if (name === undefined) return `\\${text}`;
    names.push(name);
    // The root folder's contents have an empty path, without the slash before it.
    if (name === "path") return "(?:/(.*))?";
    return LONG_PARAMETERS.has(name) ? "/(.+?)" : "/([^/]+)";
  });
  const fixedParts = template.split("/").filter((part) => part !== "" && !part.startsWith("{")).length;
  return { route, method, pattern: new RegExp(`^${pattern}$`), names, fixedParts };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
