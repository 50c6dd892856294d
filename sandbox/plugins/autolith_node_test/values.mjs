import { types } from "node:util";

const maxItems = 20;
const maxDepth = 4;
const marker = "[redacted]";

const secretName = new RegExp(
  [
    "passw(or)?d|passphrase|secret|credential|cookie|authorization|bearer",
    "(api|access|private|auth|signing|encryption)_?key",
    "(access|auth|refresh|api|session|id|bot|csrf)_?token",
  ].join("|"),
  "i",
);
/**
 * A name of a parser's variable as often as of a secret: only values that look made by a machine are hidden under it.
 */
const doubtfulName = /(^|[_.-])(token|key|dsn|auth)s?$|[a-z](Token|Key)$|^pwd$|_pwd$/i;
const machineMade = /^(?=\S*[0-9])(?=\S*[A-Za-z])\S{8,}$/;
const secretValue = new RegExp(
  [
    /gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}/,
    // Words joined by dashes end in `sk` at times, but hold no digit.
    /(?<![A-Za-z0-9])sk-(?=[\w-]{0,64}[0-9])[\w-]{20,}/,
    /AIza[\w-]{35}|npm_[A-Za-z0-9]{36}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+/,
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/,
    /(?<=:\/\/)[^/\s:@]+:[^/\s@]+(?=@)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Text without the secrets that can be told by their form. */
export function redact(text) {
  return text.replace(secretValue, marker);
}

/** Head and tail of a text that is longer than `limit` characters. */
export function shorten(text, limit) {
  if (text.length <= limit) return text;
  const head = Math.floor((limit * 2) / 3);
  return `${text.slice(0, head)}…[${text.length - limit} characters left out]…${text.slice(text.length - (limit - head))}`;
}

/**
 * The value as text of at most about `limit` characters; hidden when its name or its form looks secret.
 * Runs no code of the value: accessors, proxies and custom inspection are not called.
 */
export function describe(value, limit = 1000, name = "") {
  try {
    const budget = { left: limit * 2, limit, path: new Set() };
    return shorten(redact(text(value, 0, name, budget)), limit);
  } catch (error) {
    return `<not printable: ${error?.name}>`;
  }
}

function text(value, depth, name, budget) {
  if (budget.left <= 0) return "…";
  if (hides(name, value)) return marker;
  const result = plain(value, depth, budget);
  budget.left -= result.length;
  return result;
}

function plain(value, depth, budget) {
  if (typeof value === "string")
    return JSON.stringify(value.slice(0, budget.limit)) + (value.length > budget.limit ? "…" : "");
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "function") return `[function ${own(value, "name") || "anonymous"}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (types.isProxy(value)) return "[proxy]";
  if (types.isDate(value))
    return Number.isNaN(Date.prototype.getTime.call(value))
      ? "Date(invalid)"
      : `Date(${Date.prototype.toISOString.call(value)})`;
  if (types.isRegExp(value)) return RegExp.prototype.toString.call(value);
  if (types.isNativeError(value))
    return `${className(value)}(${JSON.stringify(String(own(value, "message") ?? "").slice(0, 200))})`;
  if (types.isPromise(value)) return "Promise";
  if (budget.path.has(value)) return "<the same again>";
  budget.path.add(value);
  try {
    return container(value, depth, budget);
  } finally {
    budget.path.delete(value);
  }
}

function container(value, depth, budget) {
  const type = className(value);
  if (Array.isArray(value) || types.isTypedArray(value)) {
    const label = type === "Array" ? "" : type;
    if (depth >= maxDepth) return `${label}[…]`;
    const items = Array.from({ length: Math.min(value.length, maxItems) }, (_, index) =>
      types.isTypedArray(value) ? value[index] : own(value, index),
    );
    return (
      label +
      listed(
        "[",
        items.map((item) => text(item, depth + 1, "", budget)),
        value.length,
        "]",
      )
    );
  }
  if (depth >= maxDepth) return `${type}{…}`;
  if (types.isMap(value)) {
    const entries = [...first(Map.prototype.entries.call(value))];
    const texts = entries.map(
      ([key, item]) =>
        `${text(key, maxDepth, "", budget)} => ${text(item, depth + 1, typeof key === "string" ? key : "", budget)}`,
    );
    return listed("Map{", texts, value.size, "}");
  }
  if (types.isSet(value)) {
    return listed(
      "Set{",
      [...first(Set.prototype.values.call(value))].map((item) => text(item, depth + 1, "", budget)),
      value.size,
      "}",
    );
  }
  const keys = Reflect.ownKeys(value).filter((key) => typeof key === "string");
  const texts = keys.slice(0, maxItems).map((key) => `${key}: ${text(own(value, key), depth + 1, key, budget)}`);
  return listed(type === "Object" ? "{" : `${type}{`, texts, keys.length, "}");
}

function listed(open, texts, total, close) {
  const more = total > texts.length ? [`… ${total} in all`] : [];
  return open + [...texts, ...more].join(", ") + close;
}

function* first(iterator) {
  let count = 0;
  for (const item of iterator) {
    if (count === maxItems) return;
    count += 1;
    yield item;
  }
}

/** A property's value without calling an accessor. */
function own(value, key) {
  const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
  return descriptor === undefined || "value" in descriptor ? descriptor?.value : Symbol("accessor");
}

function className(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return "Object";
  if (types.isProxy(prototype)) return "object";
  const maker = own(prototype, "constructor");
  const name = typeof maker === "function" ? own(maker, "name") : undefined;
  return typeof name === "string" && name !== "" ? name : "Object";
}

function hides(name, value) {
  if (name === "" || (typeof value !== "string" && (typeof value !== "object" || value === null)) || value === "")
    return false;
  return secretName.test(name) || (doubtfulName.test(name) && typeof value === "string" && machineMade.test(value));
}
