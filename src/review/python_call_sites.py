"""Finds where Python files import a distribution and call what they imported.

Reads {"distribution", "files"} as JSON from the file named by AUTOLITH_INPUT, and writes {file: [[line, text, is_call]]}
to the one named by AUTOLITH_REPORT. The files are parsed, never imported.
"""

import ast
import json
import os
import re

CALL_CHARS = 80


def module_names(distribution):
    """Top-level modules of an installed distribution; by convention of its name when it is not installed."""
    normal = re.sub(r"[-_.]+", "-", distribution).lower()
    try:
        from importlib.metadata import packages_distributions

        names = {
            module
            for module, owners in packages_distributions().items()
            if any(re.sub(r"[-_.]+", "-", owner).lower() == normal for owner in owners)
        }
    except Exception:
        names = set()
    return names or {normal.replace("-", "_")}


def cut(text):
    """One line of at most CALL_CHARS characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= CALL_CHARS else flat[: CALL_CHARS - 1] + "\u2026"


def root_name(node):
    """The name that an expression such as `a.b().c` begins with."""
    while True:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return ""


def imported(node, modules):
    """The local names that an import statement binds to the distribution."""
    if isinstance(node, ast.Import):
        return {
            alias.asname or alias.name.split(".")[0] for alias in node.names if alias.name.split(".")[0] in modules
        }
    if isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] in modules:
        return {alias.asname or alias.name for alias in node.names}
    return set()


def uses(source, modules):
    """Calls of what a file imports from the modules; the imports themselves when nothing is called."""
    tree = ast.parse(source)
    names = set()
    imports = []
    for node in ast.walk(tree):
        bound = imported(node, modules)
        if bound:
            names |= bound
            imports.append([node.lineno, cut(ast.get_source_segment(source, node) or ""), False])
    calls = [
        [node.lineno, cut(ast.get_source_segment(source, node) or ""), True]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and root_name(node.func) in names
    ]
    return sorted(calls or imports)


def main():
    """Answers one request."""
    with open(os.environ["AUTOLITH_INPUT"], encoding="utf-8") as file:
        request = json.load(file)
    modules = module_names(request["distribution"])
    found = {}
    for path in request["files"]:
        try:
            with open(path, encoding="utf-8") as file:
                in_file = uses(file.read(), modules)
        except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if in_file:
            found[path] = in_file
    with open(os.environ["AUTOLITH_REPORT"], "w", encoding="utf-8") as file:
        json.dump(found, file)


main()
