import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const importer = "__autolithImport";
const meta = "__autolithImportMeta";

/**
 * Gives code in the console what only files have: `require` and `import`, relative to the workspace. Returns a function that
 * rewrites the imports of one piece of code; line numbers stay as they are.
 */
export function withImports(workspace) {
  const require = createRequire(`${workspace}/`);
  const url = pathToFileURL(join(workspace, "execution.mjs")).href;
  define("require", require);
  define(importer, (specifier, options) => import(specifier, options));
  define(meta, { dirname: workspace, filename: join(workspace, "execution.mjs"), url, resolve: require.resolve });
  const parse = parser();
  return (code) => (/\b(import|export)\b/.test(code) ? rewritten(code, parse) : code);
}

function define(name, value) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

/** The parser inside Node, which its own console uses for the same purpose. */
function parser() {
  const require = createRequire(import.meta.url);
  const { parse } = require("internal/deps/acorn/acorn/dist/acorn");
  const { simple } = require("internal/deps/acorn/acorn-walk/dist/walk");
  return { parse, simple };
}

/**
 * The code with `import` declarations, `import()` and `import.meta` replaced; as it is when it cannot be parsed, for V8 to say
 * what is wrong. With an `import` declaration V8 would only say that there is one: then it is the parser who throws.
 */
function rewritten(code, { parse, simple }) {
  const tree = parsed(code, parse);
  if (tree === null) return code;
  const edits = [];
  const replace = ({ start, end }, text) => edits.push({ start, end, text });
  simple(tree, {
    ImportDeclaration: (node) => replace(node, padded(declaration(node, code), code.slice(node.start, node.end))),
    ImportExpression: (node) => replace({ start: node.start, end: node.start + "import".length }, importer),
    MetaProperty: (node) => {
      if (node.meta.name === "import") replace(node, meta);
    },
    ExportNamedDeclaration: (node) => {
      if (node.declaration) replace({ start: node.start, end: node.declaration.start }, "");
    },
  });
  edits.sort((left, right) => right.start - left.start);
  return edits.reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code);
}

function parsed(code, parse) {
  const options = { ecmaVersion: "latest", allowHashBang: true, allowAwaitOutsideFunction: true };
  try {
    return parse(code, { ...options, sourceType: "module" });
  } catch (error) {
    if (/^\s*import\s*[\w$*{'"]/m.test(code))
      throw Object.assign(new SyntaxError(error.message), { line: error.loc?.line });
  }
  try {
    return parse(code, { ...options, sourceType: "script" });
  } catch {
    return null;
  }
}

function declaration(node, code) {
  const attributes = node.attributes?.map(({ start, end }) => code.slice(start, end)) ?? [];
  const options = attributes.length === 0 ? "" : `, { with: { ${attributes.join(", ")} } }`;
  const loaded = `await ${importer}(${node.source.raw}${options})`;
  const namespace = node.specifiers.find(({ type }) => type === "ImportNamespaceSpecifier");
  const names = node.specifiers
    .filter((specifier) => specifier !== namespace)
    .map(({ type, imported, local }) => {
      const name = type === "ImportDefaultSpecifier" ? "default" : (imported.name ?? imported.raw);
      return `${name}: ${local.name}`;
    });
  const targets = [namespace?.local.name, names.length > 0 && `{ ${names.join(", ")} }`].filter(Boolean);
  if (targets.length === 0) return `${loaded};`;
  if (targets.length === 1) return `const ${targets[0]} = ${loaded};`;
  return `const ${targets[0]} = ${loaded}, ${targets[1]} = ${targets[0]};`;
}

function padded(text, original) {
  return text + "\n".repeat(original.split("\n").length - 1);
}
