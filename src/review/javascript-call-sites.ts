import { parse } from "@babel/parser";

/** A use of a package in one file. */
export interface Use {
  readonly line: number;
  readonly text: string;
  readonly isCall: boolean;
}

/** A node of the tree, as far as it is looked at. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc?: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

/** Deeper trees are generated code. */
const deepest = 400;
const callChars = 80;

/** Finds where a JavaScript or TypeScript file imports a package, and where it calls what it imported. Nothing for a file that cannot be parsed. */
export function javascriptUses(path: string, text: string, packageName: string): Use[] {
  if (!text.includes(packageName)) return [];
  const program = parseFile(path, text);
  if (program === null) return [];
  const names = new Set<string>();
  const imports: Use[] = [];
  walk(program, (node) => {
    if (!importsPackage(node, packageName)) return;
    imports.push({ line: lineOf(node), text: cut(text, node), isCall: false });
  });
  walk(program, (node) => bindings(node, packageName, names));
  const calls: Use[] = [];
  walk(program, (node) => {
    const callee = calleeOf(node);
    if (callee === null) return;
    const isDirect = importsPackage(callee, packageName);
    if (isDirect || names.has(rootName(callee)))
      calls.push({ line: lineOf(node), text: cut(text, node), isCall: true });
  });
  return calls.length > 0 ? calls : imports;
}

function parseFile(path: string, text: string): Node | null {
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const plugins = isTyped ? (path.endsWith("x") ? ["typescript", "jsx"] : ["typescript"]) : ["jsx"];
  try {
    const options = { sourceType: "unambiguous", errorRecovery: true, plugins: [...plugins, "decorators"] };
    return parse(text, options as Parameters<typeof parse>[1]).program as unknown as Node;
  } catch {
    return null;
  }
}

/** `import … from "p"`, `export … from "p/sub"`, `import("p")` and `require("p")`. */
function importsPackage(node: Node, packageName: string): boolean {
  const isPackage = (source: unknown): boolean => {
    const value = (source as Node | null | undefined)?.["value"];
    return typeof value === "string" && (value === packageName || value.startsWith(`${packageName}/`));
  };
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
      return isPackage(node["source"]);
    case "TSExternalModuleReference":
      return isPackage(node["expression"]);
    case "AwaitExpression":
      return importsPackage(node["argument"] as Node, packageName);
    case "CallExpression": {
      const callee = node["callee"] as Node;
      const isLoad = callee.type === "Import" || callee["name"] === "require";
      return isLoad && isPackage((node["arguments"] as unknown[])[0]);
    }
    default:
      return false;
  }
}

/** Notes the names under which a file knows the package or parts of it. */
function bindings(node: Node, packageName: string, names: Set<string>): void {
  if (node.type === "ImportDeclaration" && importsPackage(node, packageName)) {
    for (const specifier of node["specifiers"] as Node[]) addNames(specifier["local"] as Node, names);
  }
  if (node.type === "TSImportEqualsDeclaration" && importsPackage(node["moduleReference"] as Node, packageName)) {
    addNames(node["id"] as Node, names);
  }
  if (node.type !== "VariableDeclarator" || node["init"] == null) return;
  const init = node["init"] as Node;
  const source = init.type === "MemberExpression" ? (init["object"] as Node) : init;
  if (importsPackage(source, packageName)) addNames(node["id"] as Node, names);
}

/** The names of a pattern: `a`, `{ a, b: c }`, `[a, ...rest]`. */
function addNames(pattern: Node, names: Set<string>): void {
  if (pattern.type === "Identifier") names.add(String(pattern["name"]));
  if (pattern.type === "ObjectPattern") {
    for (const property of pattern["properties"] as Node[]) {
      addNames((property["value"] ?? property["argument"]) as Node, names);
    }
  }
  if (pattern.type === "ArrayPattern")
    for (const each of pattern["elements"] as (Node | null)[]) if (each) addNames(each, names);
  if (pattern.type === "AssignmentPattern") addNames(pattern["left"] as Node, names);
}

function calleeOf(node: Node): Node | null {
  const isCall = ["CallExpression", "OptionalCallExpression", "NewExpression"].includes(node.type);
  if (isCall) return node["callee"] as Node;
  if (node.type === "TaggedTemplateExpression") return node["tag"] as Node;
  return node.type === "JSXOpeningElement" ? (node["name"] as Node) : null;
}

/** The name that an expression such as `a.b().c` begins with. */
function rootName(node: Node): string {
  const inner = node["object"] ?? node["callee"] ?? node["expression"];
  if (inner != null) return rootName(inner as Node);
  return node.type === "Identifier" || node.type === "JSXIdentifier" ? String(node["name"]) : "";
}

function walk(node: Node, visit: (node: Node) => void, depth = 0): void {
  if (depth > deepest) return;
  visit(node);
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof (each as Node | null)?.type === "string") walk(each as Node, visit, depth + 1);
    }
  }
}

function lineOf(node: Node): number {
  return node.loc?.start.line ?? 1;
}

function cut(text: string, { start, end }: Node): string {
  const flat = text.slice(start, Math.min(end, start + 4 * callChars)).replace(/\s+/g, " ");
  return flat.length > callChars ? `${flat.slice(0, callChars - 1)}…` : flat;
}
