"""Rewrite statements: assignments, loops, `with` and `try`, with requests in place of the accesses."""

from __future__ import annotations

import ast

from sharedstate.interleave.expressions import Expressions, Scope, place
from sharedstate.interleave.sites import Unsupported
from sharedstate.interleave.source import parse

REFUSED = (getattr(ast, "TryStar", ast.expr),)
PLAIN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
GUARD = "except (GeneratorExit, KeyboardInterrupt): raise"


class Statements:
    """Rewrite the body of one function."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrite a list of statements; hoisted comprehensions come before the statement that needs them."""
        result: list[ast.stmt] = []
        for statement in statements:
            rewriter = Expressions(self.scope)
            new = self._statement(statement, rewriter)
            result += [*rewriter.hoisted, *new]
        return result

    def _statement(self, node: ast.stmt, expressions: Expressions) -> list[ast.stmt]:
        """One statement; the method is chosen by its type."""
        if isinstance(node, REFUSED):
            raise Unsupported(type(node).__name__)
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is not None:
            return [self._located(n, node) for n in method(node, expressions)]
        if isinstance(node, PLAIN):
            return [self._definition(node, expressions)]
        return [expressions.visit(node)]

    @staticmethod
    def _located(new: ast.stmt, old: ast.stmt) -> ast.stmt:
        """A made-up statement stands where the learner's statement stands."""
        if not hasattr(new, "lineno"):
            place(new, old)
        return ast.fix_missing_locations(new)

    @staticmethod
    def _definition(node: ast.stmt, expressions: Expressions) -> ast.stmt:
        """A nested function or class stays; its decorators and defaults are evaluated here."""
        node.decorator_list = [expressions.visit(d) for d in node.decorator_list]
        if not isinstance(node, ast.ClassDef):
            node.args.defaults = [expressions.visit(d) for d in node.args.defaults]
            node.args.kw_defaults = [d and expressions.visit(d) for d in node.args.kw_defaults]
        return node

    # -- assignments -----------------------------------------------------------------------------

    def _Assign(self, node: ast.Assign, expressions: Expressions) -> list[ast.stmt]:
        """`a = b.c = value`: the value first, then the targets from left to right."""
        value = expressions.visit(node.value)
        if len(node.targets) == 1:
            return self.store(node.targets[0], value, expressions)
        name = self.scope.fresh("value")
        result = [_set(name, value)]
        for target in node.targets:
            result += self.store(target, _get(name), expressions)
        return result

    def _AnnAssign(self, node: ast.AnnAssign, expressions: Expressions) -> list[ast.stmt]:
        """An annotated assignment is an assignment; a bare annotation does nothing."""
        if node.value is None:
            return [ast.Pass()]
        return self.store(node.target, expressions.visit(node.value), expressions)

    def store(self, target: ast.expr, value: ast.expr, expressions: Expressions) -> list[ast.stmt]:
        """Assign `value`, already rewritten, to a target of any kind."""
        ask = expressions.ask
        if isinstance(target, ast.Name):
            return [self._store_name(target, value, expressions)]
        if isinstance(target, ast.Attribute):
            return [ast.Expr(ask("write", target.attr, target, value, expressions.visit(target.value)))]
        if isinstance(target, ast.Subscript):
            owner, index = expressions.visit(target.value), expressions.index(target.slice)
            return [ast.Expr(ask("set_item", "", target, value, owner, index))]
        return self._unpack(target, value, expressions)

    def _store_name(self, target: ast.Name, value: ast.expr, expressions: Expressions) -> ast.stmt:
        """Assign to a name: local, or one that others see too."""
        kind = self.scope.kind(target.id)
        if kind == "shared cell":
            value = expressions.ask("cell_write", target.id, target, value)
        elif kind != "local":
            return ast.Expr(expressions.ask("global_write", target.id, target, value))
        return ast.Assign([target], value)

    def _unpack(self, target: ast.expr, value: ast.expr, expressions: Expressions) -> list[ast.stmt]:
        """Unpack into temporaries, then assign each part."""
        names, parts, after = [], [], []
        for part in target.elts:
            starred = isinstance(part, ast.Starred)
            inner = part.value if starred else part
            names.append(self.scope.fresh("part"))
            slot = ast.Name(names[-1], ast.Store())
            parts.append(ast.Starred(slot, ast.Store()) if starred else slot)
            after += self.store(inner, _get(names[-1]), expressions)
        return [ast.Assign([ast.Tuple(parts, ast.Store())], value), *after]

    def _AugAssign(self, node: ast.AugAssign, expressions: Expressions) -> list[ast.stmt]:
        """`a.b += c`: read, compute, write; two steps where the target is shared."""
        target, ask = node.target, expressions.ask
        operator = type(node.op).__name__
        if isinstance(target, ast.Name):
            if self.scope.kind(target.id) == "local" and isinstance(node.value, ast.Constant):
                return [node]
            old = expressions.visit(ast.Name(target.id, ast.Load(), lineno=node.lineno, col_offset=node.col_offset))
            return self.store(target, self._combine(operator, old, node, expressions), expressions)
        owner, index = self.scope.fresh("owner"), self.scope.fresh("index")
        result = [_set(owner, expressions.visit(target.value))]
        if isinstance(target, ast.Attribute):
            old = ask("read", target.attr, target, _get(owner))
            new = self._combine(operator, old, node, expressions)
            return [*result, ast.Expr(ask("write", target.attr, target, new, _get(owner)))]
        result.append(_set(index, expressions.index(target.slice)))
        old = ask("get_item", "", target, _get(owner), _get(index))
        new = self._combine(operator, old, node, expressions)
        return [*result, ast.Expr(ask("set_item", "", target, new, _get(owner), _get(index)))]

    def _combine(self, operator: str, old: ast.expr, node: ast.AugAssign, expressions: Expressions) -> ast.expr:
        """The new value; a request, because `+=` may change a shared list in place."""
        return expressions.ask("combine", operator, node, old, expressions.visit(node.value))

    def _Delete(self, node: ast.Delete, expressions: Expressions) -> list[ast.stmt]:
        """Delete attributes, items and names."""
        result: list[ast.stmt] = []
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                request = expressions.ask("delete", target.attr, target, expressions.visit(target.value))
                result.append(ast.Expr(request))
            elif isinstance(target, ast.Subscript):
                owner, index = expressions.visit(target.value), expressions.index(target.slice)
                result.append(ast.Expr(expressions.ask("del_item", "", target, owner, index)))
            else:
                result.append(ast.Delete([target]))
        return result

    # -- blocks ------------------------------------------------------------------------------------

    def _If(self, node: ast.If, expressions: Expressions) -> list[ast.stmt]:
        """`if`: the test, then both branches."""
        return [ast.If(expressions.visit(node.test), self.block(node.body), self.block(node.orelse))]

    def _While(self, node: ast.While, expressions: Expressions) -> list[ast.stmt]:
        """`while`: a tick at each turn, so that an endless loop is noticed."""
        if isinstance(node.test, ast.Constant):
            test, hoisted = node.test, []
        else:
            inner = Expressions(self.scope)
            test, hoisted = inner.visit(node.test), inner.hoisted
        tick = ast.Expr(expressions.ask("tick", "", node))
        return [*hoisted, ast.While(test, [tick, *self.block(node.body)], self.block(node.orelse))]

    def _For(self, node: ast.For, expressions: Expressions) -> list[ast.stmt]:
        """`for`: over range() it stays a plain loop; otherwise each element is a request."""
        source = node.iter
        is_range = isinstance(source, ast.Call) and getattr(source.func, "id", "") == "range"
        if is_range and self.scope.kind("range") == "plain":
            return self._for_range(node, expressions)
        iterator, item, done = (self.scope.fresh(stem) for stem in ("iterator", "item", "done"))
        request = expressions.ask("next", "", source, _get(iterator))
        stop = ast.If(ast.UnaryOp(ast.Not(), _get(item)), [_set(done, ast.Constant(True)), ast.Break()], [])
        element = ast.Subscript(_get(item), ast.Constant(0), ast.Load())
        body = [_set(item, request), stop, *self.store(node.target, element, expressions), *self.block(node.body)]
        loop = ast.While(ast.Constant(True), body, [])
        start = [_set(iterator, expressions.ask("iter", "", source, expressions.visit(source)))]
        if not node.orelse:
            return [*start, loop]
        return [*start, _set(done, ast.Constant(False)), loop, ast.If(_get(done), self.block(node.orelse), [])]

    def _for_range(self, node: ast.For, expressions: Expressions) -> list[ast.stmt]:
        """A loop over range(): as fast as the learner wrote it."""
        name = self.scope.fresh("item")
        source = expressions.ask("range", "", node.iter, expressions.visit(node.iter))
        simple = isinstance(node.target, ast.Name) and self.scope.kind(node.target.id) == "local"
        target = node.target if simple else ast.Name(name, ast.Store())
        first = [] if simple else self.store(node.target, _get(name), expressions)
        return [ast.For(target, source, [*first, *self.block(node.body)], self.block(node.orelse))]

    def _Match(self, node: ast.Match, expressions: Expressions) -> list[ast.stmt]:
        """`match` on plain values; patterns that look into objects would read unseen."""
        if any(isinstance(sub, (ast.MatchClass, ast.MatchMapping)) for sub in ast.walk(node)):
            raise Unsupported("a match pattern that looks into objects")
        cases = [
            ast.match_case(case.pattern, case.guard and expressions.visit(case.guard), self.block(case.body))
            for case in node.cases
        ]
        return [ast.Match(expressions.visit(node.subject), cases)]

    def _With(self, node: ast.With, expressions: Expressions) -> list[ast.stmt]:
        """`with`, one manager at a time."""
        item, rest = node.items[0], node.items[1:]
        manager, fine, error = (self.scope.fresh(stem) for stem in ("manager", "fine", "error"))
        body = [place(ast.With(rest, node.body), node)] if rest else node.body
        entered = expressions.ask("enter", "", item.context_expr, _get(manager))
        value = self.scope.fresh("value")
        start = self.store(item.optional_vars, _get(value), expressions) if item.optional_vars else []
        leave = expressions.ask("exit", "", item.context_expr, _get(manager), _get(error))
        quiet = expressions.ask("exit", "", item.context_expr, _get(manager), ast.Constant(None))
        guard = _guard([_set(fine, ast.Constant(False))])
        failed = [_set(fine, ast.Constant(False)), ast.If(ast.UnaryOp(ast.Not(), leave), [ast.Raise()], [])]
        handler = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), error, failed)
        inner = ast.Try([*start, *self.block(body)], [guard, handler], [], [])
        outer = ast.Try([inner], [], [], [ast.If(_get(fine), [ast.Expr(quiet)], [])])
        first = _set(manager, expressions.visit(item.context_expr))
        return [first, _set(value, entered), _set(fine, ast.Constant(True)), outer]

    def _AsyncWith(self, node: ast.AsyncWith, expressions: Expressions) -> list[ast.stmt]:
        """`async with` stays: the manager's own awaits are the switch points."""
        items, first = [], []
        for item in node.items:
            slot, target = None, item.optional_vars
            if isinstance(target, ast.Name):
                slot = target
            elif target is not None:
                slot = ast.Name(self.scope.fresh("value"), ast.Store())
                first += self.store(target, _get(slot.id), expressions)
            items.append(ast.withitem(expressions.visit(item.context_expr), slot))
        return [ast.AsyncWith(items, [*first, *self.block(node.body)])]

    def _AsyncFor(self, node: ast.AsyncFor, expressions: Expressions) -> list[ast.stmt]:
        """`async for` stays: each element is an await."""
        name = self.scope.fresh("item")
        first = self.store(node.target, _get(name), expressions)
        body = [*first, *self.block(node.body)]
        return [ast.AsyncFor(ast.Name(name, ast.Store()), expressions.visit(node.iter), body, self.block(node.orelse))]

    def _Try(self, node: ast.Try, expressions: Expressions) -> list[ast.stmt]:
        """`try`: an abandoned schedule passes through without running handlers or `finally`."""
        handlers = []
        for handler in node.handlers:
            kind = expressions.visit(handler.type) if handler.type else None
            handlers.append(place(ast.ExceptHandler(kind, handler.name, self.block(handler.body)), handler))
        guards = [_guard([])] if handlers else []
        body = self.block(node.body)
        tried = ast.Try(body, [*guards, *handlers], self.block(node.orelse), [])
        if not node.finalbody:
            return [tried]
        dropped = self.scope.fresh("dropped")
        inner = [tried] if handlers else body
        outer = ast.Try(inner, [_guard([_set(dropped, ast.Constant(True))])], [], [])
        last = ast.If(ast.UnaryOp(ast.Not(), _get(dropped)), self.block(node.finalbody), [])
        return [_set(dropped, ast.Constant(False)), ast.Try([outer], [], [], [last])]


def _guard(first: list[ast.stmt]) -> ast.ExceptHandler:
    """The handler that lets an abandoned schedule and an interrupt pass."""
    guard = parse(f"try: pass\n{GUARD}").body[0].handlers[0]
    for node in ast.walk(guard):
        for key in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(node, key):
                delattr(node, key)
    guard.body = [*first, *guard.body]
    return guard


def _set(name: str, value: ast.expr) -> ast.stmt:
    """`name = value`."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _get(name: str) -> ast.expr:
    """`name`, read."""
    return ast.Name(name, ast.Load())
