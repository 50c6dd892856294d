import { expect, test } from "vitest";
import { findPlaceholder } from "../../src/loop/placeholder.ts";
import { expectLinear } from "../linear-time.ts";

const python: [string, string, number][] = [
  ["dots for a body", "def f():\n    ...\n", 2],
  ["dots on the header's line", "def f(): ...\n", 1],
  ["pass for a body", "def f(a, b):\n    pass\n", 2],
  ["pass behind a docstring", 'def f():\n    """Adds.\n\n    Well.\n    """\n    pass\n', 6],
  ["pass in a method", "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        return 1\n", 3],
  ["pass in an async function", "async def f() -> Callable[..., int]:\n    pass\n", 2],
  [
    "pass behind a signature of many lines",
    "def f(\n    a: int = 1,\n    b: dict[str, int] = {},\n) -> None:\n    pass\n",
    5,
  ],
  ["pass in a nested function", "def f():\n    def g():\n        pass\n    return g\n", 3],
  ["pass beside a TODO", "def f():\n    # TODO: write this\n    pass\n", 3],
  ["a TODO alone", 'def f():\n    """Adds."""\n    # TODO: implement\n\nx = 1\n', 3],
  ["not implemented", "def f():\n    raise NotImplementedError\n", 2],
  ["not implemented, with words", "def f():\n    raise NotImplementedError('later')\n", 2],
  ["another error that says so", "def f():\n    raise RuntimeError('not implemented yet')\n", 2],
  ["dots among statements", "def f():\n    x = 1\n    ...\n    return x\n", 3],
  ["dots at the top", "import a\n...\ndef f():\n    return 1\n", 2],
  ["dots at the end of a class", "class A:\n    def f(self):\n        return 1\n\n    ...\n", 5],
  ["an elision", "def f():\n    x = 1\n    # ... existing code ...\n    return x\n", 3],
  ["an elision in words", "def f():\n    x = 1\n    # rest of the function unchanged\n", 3],
  ["a comment of dots", "def f():\n    x = 1\n    # ...\n    return x\n", 3],
  ["your code here", "def f():\n    # your code here\n    return None\n", 2],
  ["a method in an ordinary base", "class A(Base):\n    def f(self):\n        ...\n", 3],
  [
    "a function inside an abstract class's method",
    "class A(ABC):\n    def f(self):\n        def g():\n            pass\n        return g\n",
    4,
  ],
];

test.each(python)("finds %s in Python", (_, text, line) => {
  expect(findPlaceholder("a.py", "", text)?.line).toBe(line);
});

const completePython: [string, string][] = [
  ["a swallowed exception", "def f():\n    try:\n        g()\n    except KeyError:\n        pass\n    return 1\n"],
  ["a branch that does nothing", "def f(x):\n    if x:\n        pass\n    else:\n        g()\n"],
  ["an empty class", "class A(Exception):\n    pass\n\nclass B(Exception):\n    '''Why.'''\n    ...\n"],
  ["dots for one branch", "try:\n    g()\nexcept KeyError:\n    ...\n"],
  [
    "a protocol",
    "class A(Protocol):\n    def f(self) -> int: ...\n\n    async def g(self) -> int:\n        '''Why.'''\n        ...\n",
  ],
  ["a generic protocol", "class A(typing.Protocol[T]):\n    x: int\n    def f(self) -> int: ...\n"],
  [
    "an abstract class",
    "class A(abc.ABC):\n    @abc.abstractmethod\n    def f(self):\n        raise NotImplementedError\n",
  ],
  [
    "a metaclass",
    "class A(Base, metaclass=ABCMeta):\n    @property\n    @abstractmethod\n    def f(self):\n        pass\n",
  ],
  [
    "an overload",
    "@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x: str) -> str: ...\ndef f(x):\n    return x\n",
  ],
  [
    "a base class by message",
    "class A:\n    def f(self):\n        raise NotImplementedError('subclasses must implement f')\n",
  ],
  ["a command group", "@click.group()\n@click.option('--x')\ndef cli():\n    pass\n"],
  ["not implemented in one case", "def f(x):\n    if x:\n        raise NotImplementedError('x')\n    return 1\n"],
  [
    "an ellipsis as a value",
    "x = a[..., 0]\ny: tuple[int, ...] = (\n    1,\n)\nz = [\n    ...\n]\ndef f(x=...):\n    return ...  if x else 1\n",
  ],
  ["a TODO beside code", "def f():\n    # TODO: make this faster\n    return 1\n"],
  ["a comment about existing code", "def f():\n    # existing code relies on this order\n    return 1\n"],
  ["a comment about the rest", "def f():\n    # the rest of the items are sorted below\n    return 1\n"],
  ["a comment that goes on", "# takes everything\n# ...\nx = 1\n"],
  ["words in strings", "def f():\n    return '''\n# ... existing code ...\n    ...\n    pass\n'''\n"],
  ["a trailing comment", "x = 1  # rest unchanged\n"],
  ["a docstring alone", "class E(Exception):\n    def hook(self):\n        '''Called when done.'''\n"],
  ["a lambda and a loop", "f = lambda: ...\nwhile x: pass\n"],
];

test.each(completePython)("sees no placeholder in %s (Python)", (_, text) => {
  expect(findPlaceholder("a.py", "", text)).toBeNull();
});

const javascript: [string, string, number][] = [
  ["a thrown stand-in", 'function f() {\n  throw new Error("not implemented");\n}\n', 2],
  ["a thrown stand-in in an arrow", "const f = () => {\n  throw new Error(`Not implemented`);\n};\n", 2],
  [
    "a thrown stand-in with a return type",
    'f(a: string): Promise<Map<string, number>> { throw new TypeError("TODO"); }\n',
    1,
  ],
  ["a TODO for a body", "function f() {\n  // TODO: implement\n}\n", 2],
  ["a TODO in a method", "class A {\n  async f() { /* TODO */ }\n}\n", 2],
  ["an elision", "function f() {\n  const x = 1;\n  // ... existing code ...\n  return x;\n}\n", 3],
  ["a block elision", "function f() {\n  /* rest of the function unchanged */\n  return 1;\n}\n", 2],
  ["an elision in JSX", "const a = (\n  <b>\n    {/* ... existing code ... */}\n  </b>\n);\n", 3],
  ["dots alone", "function f() {\n  const x = 1;\n  ...\n  return x;\n}\n", 3],
  ["your code here", "function f() {\n  // Add your logic here\n  return 1;\n}\n", 2],
];

test.each(javascript)("finds %s in TypeScript", (_, text, line) => {
  expect(findPlaceholder("a.tsx", "", text)?.line).toBe(line);
});

const completeJavaScript: [string, string][] = [
  [
    "a body that is empty on purpose",
    "const noop = () => {};\nfunction f() {}\nclass A { g() { /* nothing to do */ } }\n",
  ],
  [
    "an error in one case",
    'switch (x) {\n  default: {\n    throw new Error("not implemented");\n  }\n}\nif (x) {\n  throw new Error("not implemented");\n}\n',
  ],
  ["a base class by message", 'class A {\n  f() { throw new Error("f must be implemented by a subclass"); }\n}\n'],
  ["another error", 'function f() {\n  throw new Error("out of range");\n}\n'],
  ["spreads", "const a = [\n  ...b,\n  ...(c),\n];\nfunction f(...args) { return args; }\n"],
  ["a TODO beside code", "function f() {\n  // TODO: faster\n  return 1;\n}\n"],
  ["a swallowed error", "try { f(); } catch { /* TODO: report */ }\ncatch (e) { /* TODO */ }\nif (x) { /* TODO */ }\n"],
  [
    "abstract members and overloads",
    "abstract class A {\n  abstract f(): void;\n}\nfunction g(a: string): void;\nfunction g(a: unknown) { h(a); }\n",
  ],
  [
    "headings and documentation",
    "// Other functions\n\n/**\n * Returns the text\n * unchanged.\n * ...\n */\nfunction f(a) { return a; }\n",
  ],
  ["words in strings", 'const a = "// ... existing code ...";\nconst b = `\n// rest unchanged\n...\n`;\n'],
];

test.each(completeJavaScript)("sees no placeholder in %s (TypeScript)", (_, text) => {
  expect(findPlaceholder("a.ts", "", text)).toBeNull();
});

test("stubs and declarations need no bodies", () => {
  expect(
    findPlaceholder("a.pyi", "", "def f(x: int) -> int: ...\nclass A:\n    def g(self): pass\n    ...\n"),
  ).toBeNull();
  expect(findPlaceholder("a.d.ts", "", "declare function f(): void; // TODO\n")).toBeNull();
  expect(findPlaceholder("a.pyi", "", "x: int\n# ... rest of the file ...\n")?.line).toBe(2);
});

test("text for people may say what it likes", () => {
  for (const path of ["README.md", "docs/a.rst", "CHANGELOG", "data.json"]) {
    expect(findPlaceholder(path, "", "# ... existing code ...\n...\n")).toBeNull();
  }
  expect(findPlaceholder("main.go", "", "func f() {\n\t// ... existing code ...\n}\n")?.line).toBe(2);
  expect(findPlaceholder("query.sql", "", "-- rest unchanged\n")?.line).toBe(1);
  expect(findPlaceholder("a.yml", "", "a: 1\n...\nb: 2\n")).toBeNull();
});

test("what stood there before does not count", () => {
  const before = "def f():\n    pass\n\ndef g():\n    return 1\n";
  expect(findPlaceholder("a.py", before, before.replace("return 1", "return 2"))).toBeNull();
  expect(findPlaceholder("a.py", before, `x = 1\n${before}`)).toBeNull();
  expect(findPlaceholder("a.py", before, before.replace("return 1", "pass"))).toEqual({ line: 5, text: "    pass" });
  expect(findPlaceholder("a.py", before, `class A:\n${before.replace(/^(?=.)/gm, "    ")}`)).toBeNull();
  const swapped = "def f():\n    return 1\n\ndef g():\n    pass\n";
  expect(findPlaceholder("a.py", before, swapped)?.line).toBe(5);
});

test("what precedes an edit shows which class it is in", () => {
  const method = "    def f(self) -> int:\n        ...\n";
  expect(findPlaceholder("a.py", "", method)?.line).toBe(2);
  expect(findPlaceholder("a.py", "", method, "x = 1\nclass A:\n    y = 1\n")).toEqual({ line: 2, text: "        ..." });
  expect(findPlaceholder("a.py", "", method, "x = 1\nclass A(Protocol):\n    y = 1\n")).toBeNull();
  expect(findPlaceholder("a.py", "return 1", "pass", "def f():\n    ")).toEqual({ line: 1, text: "    pass" });
});

test.each(["...\n", "def f(): pass\n", "f(){//TODO\n}", "# the rest of a!\n", "{"])(
  "takes a text of %j in linear time",
  (piece) => {
    for (const path of ["a.py", "a.ts"]) {
      expectLinear(
        (size) => findPlaceholder(path, "x\n".repeat(1_000), piece.repeat(Math.ceil(size / piece.length))),
        300_000,
      );
    }
  },
);
