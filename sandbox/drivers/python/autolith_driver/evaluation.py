"""Compiles and runs pieces of code in one lasting namespace, with the last expression's value and top-level await."""

import sys
from _ast import PyCF_ALLOW_TOP_LEVEL_AWAIT, PyCF_ONLY_AST, Expr, Expression, Module
from types import ModuleType

from .sources import remember

_COROUTINE = 0x80  # as in `inspect`, which is slow to load
_FUTURES = 0
for _feature in (__import__("__future__").all_feature_names):
    _FUTURES |= getattr(__import__("__future__"), _feature).compiler_flag


class Evaluation:
    """Holds the namespace, `__main__`, and the event loop that lives across executions."""

    def __init__(self, guard, workspace):
        self._guard = guard
        self._workspace = workspace
        self._flags = PyCF_ALLOW_TOP_LEVEL_AWAIT
        self.module = ModuleType("__main__")
        self.module.__builtins__ = __import__("builtins")
        self.loop = None

    def run(self, name, code):
        """Runs code; returns (value, None) or (None, exception)."""
        remember(name, code)
        compiled, error = self._guard.call(self._compile, name, code)
        if error is not None:
            return None, error
        if len(compiled) == 1 and not compiled[0].co_flags & _COROUTINE:
            return self._guard.call(eval, compiled[0], self.module.__dict__)
        if any(part.co_flags & _COROUTINE for part in compiled):
            return self._guard.call(self._await, compiled)
        return self._guard.call(self._evaluate, compiled)

    def _compile(self, name, code):
        if "\n" not in code and "\\" not in code:
            # Most are one expression, for which the way by a tree is twice as long. The tokenizer warns of a wrong
            # escape whenever it reads it, and must not do so twice.
            try:
                return [compile(code, name, "eval", self._flags, True)]
            except SyntaxError:
                pass
        tree = compile(code, name, "exec", self._flags | PyCF_ONLY_AST, True)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], Expr) else None
        parts = []
        if tree.body:
            parts.append(compile(Module(tree.body, tree.type_ignores), name, "exec", self._flags, True))
            self._flags |= parts[0].co_flags & _FUTURES
        if last is not None:
            parts.append(compile(Expression(last.value), name, "eval", self._flags, True))
        return parts

    def _evaluate(self, parts):
        value = None
        for part in parts:
            value = eval(part, self.module.__dict__)
        return value

    async def _evaluate_in_loop(self, parts):
        value = None
        for part in parts:
            value = eval(part, self.module.__dict__)
            if part.co_flags & _COROUTINE:
                value = await value
        return value

    def _await(self, parts):
        if self.loop is None or self.loop.is_closed():
            self._make_loop()
        task = self.loop.create_task(self._evaluate_in_loop(parts))
        try:
            return self.loop.run_until_complete(task)
        except BaseException:
            # After an interrupt the task is still there: end it, but do not wait for it for long.
            if not task.done():
                task.cancel()
                self._guard.call(self._settle)
            raise

    def _make_loop(self):
        # A file of the workspace may have the name of a module that asyncio needs.
        search, sys.path = sys.path, [folder for folder in sys.path if folder != self._workspace]
        try:
            import asyncio
        finally:
            sys.path = search
        self._tasks = asyncio.all_tasks
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)

    def _settle(self):
        self.loop.call_later(0.2, self.loop.stop)
        self.loop.run_forever()

    def tasks(self):
        """Tasks that wait for the next `await` to go on."""
        if self.loop is None or self.loop.is_closed():
            return []
        return [task for task in self._tasks(self.loop) if not task.done()]
