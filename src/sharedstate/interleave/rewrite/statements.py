"""Rewrite statements: assignments, loops, `with`, `try`, `match`, with requests in place of what others could see."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from sharedstate.interleave.rewrite.comprehensions import Collect
from sharedstate.interleave.rewrite.expressions import Expressions
from sharedstate.interleave.rewrite.patterns import Patterns
from sharedstate.interleave.rewrite.requests import get, load, made, place, put
from sharedstate.interleave.rewrite.scope import CELL, LOCAL, Scope
from sharedstate.interleave.sites import Unsupported

WRAPPING = frozenset({"staticmethod", "classmethod", "property"})
QUIET = (ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Load, ast.Store, ast.UnaryOp, ast.USub)


class Statements:
    """Rewrite the body of one function."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def expressions(self) -> Expressions:
        """A rewriter for the expressions of one statement."""
        return Expressions(self.scope, self.block)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrite a list of statements; hoisted comprehensions come before the statement that needs them."""
        result: list[ast.stmt] = []
        for statement in statements:
            rewriter = self.expressions()
            new = self._statement(statement, rewriter)
            result += [*rewriter.hoisted, *new]
        return result

    def handling(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The same for a block in which an exception may be being handled."""
        self.scope.handled += 1
        result = self.block(statements)
        self.scope.handled -= 1
        return result

    def _statement(self, node: ast.stmt, expressions: Expressions) -> list[ast.stmt]:
        """One statement; the method is chosen by its type."""
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            return [expressions.visit(node)]
        result: list[ast.stmt] = method(node, expressions)
        return [ast.fix_missing_locations(new if hasattr(new, "lineno") else place(new, node)) for new in result]

    # -- assignments -----------------------------------------------------------------------------------

    def _Assign(self, node: ast.Assign, expressions: Expressions) -> list[ast.stmt]:
        """`a = b.c = value`: the value first, then the targets from left to right."""
        value = expressions.visit(node.value)
        if len(node.targets) == 1:
            return self.store(node.targets[0], value, expressions)
        name = self.scope.fresh("value")
        result = [put(name, value)]
        for target in node.targets:
            result += self.store(target, get(name, target), expressions)
        return result

    def _AnnAssign(self, node: ast.AnnAssign, expressions: Expressions) -> list[ast.stmt]:
        """An annotated assignment is an assignment; a bare annotation only makes a name local."""
        if node.value is None:
            simple = isinstance(node.target, ast.Name)
            return [ast.AnnAssign(node.target, ast.Constant(None), None, node.simple) if simple else ast.Pass()]
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
        if isinstance(target, (ast.Tuple, ast.List)):
            return self._unpack(target, value, expressions)
        raise Unsupported(f"an assignment to {type(target).__name__}")

    def _store_name(self, target: ast.Name, value: ast.expr, expressions: Expressions) -> ast.stmt:
        """Assign to a name: local, or one that others see too."""
        if self.scope.stores_global(target.id):
            return ast.Expr(expressions.ask("global_write", target.id, target, value))
        if self.scope.kind(target.id) == CELL:
            value = expressions.ask("cell_write", target.id, target, value)
        return ast.Assign([ast.Name(target.id, ast.Store())], value)

    def _unpack(self, target: ast.Tuple | ast.List, value: ast.expr, expressions: Expressions) -> list[ast.stmt]:
        """Take apart into temporaries, then assign each part; how many parts are wanted is the request's name."""
        parts: list[ast.expr] = []
        after: list[ast.stmt] = []
        star = any(isinstance(part, ast.Starred) for part in target.elts)
        for part in target.elts:
            name = self.scope.fresh("part")
            slot, inner = ast.Name(name, ast.Store()), part.value if isinstance(part, ast.Starred) else part
            parts.append(slot if inner is part else ast.Starred(slot, ast.Store()))
            after += self.store(inner, get(name, part), expressions)
        wanted = "" if star else str(len(parts))
        whole = expressions.ask("unpack", wanted, target, value)
        return [ast.Assign([ast.Tuple(parts, ast.Store())], whole), *after]

    def _AugAssign(self, node: ast.AugAssign, expressions: Expressions) -> list[ast.stmt]:
        """`a.b += c`: read, work out, write; two steps or more where the target is shared."""
        target, ask = node.target, expressions.ask
        if isinstance(target, ast.Name):
            old = expressions.visit(place(ast.Name(target.id, ast.Load()), target))
            return self.store(target, self._combine(old, node, expressions), expressions)
        owner, index = self.scope.fresh("owner"), self.scope.fresh("index")
        result = [put(owner, expressions.visit(target.value))]
        again = get(owner, target)
        if isinstance(target, ast.Attribute):
            new = self._combine(ask("read", target.attr, target, again), node, expressions)
            result.append(ast.Expr(ask("write", target.attr, target, new, again)))
            return [*result, put(owner, ast.Constant(None))]
        result.append(put(index, expressions.index(target.slice)))
        old = ask("get_item", "", target, again, get(index, target))
        new = self._combine(old, node, expressions)
        result.append(ast.Expr(ask("set_item", "", target, new, again, get(index, target))))
        return [*result, put(owner, ast.Constant(None))]

    def _combine(self, old: ast.expr, node: ast.AugAssign, expressions: Expressions) -> ast.expr:
        """The new value; a request, because `+=` may change a list in place."""
        name, value = type(node.op).__name__, expressions.visit(node.value)
        return expressions.unless_plain(
            node, [old, value], lambda a, b: ast.BinOp(a, node.op, b),
            lambda a, b: expressions.ask("combine", name, node, a, b),
        )  # fmt: skip

    def _Delete(self, node: ast.Delete, expressions: Expressions) -> list[ast.stmt]:
        """Delete attributes, items and names."""
        result: list[ast.stmt] = []
        for target in node.targets:
            if isinstance(target, (ast.Tuple, ast.List)):
                result += self._Delete(ast.Delete(target.elts), expressions)
            elif isinstance(target, ast.Attribute):
                request = expressions.ask("delete", target.attr, target, expressions.visit(target.value))
                result.append(ast.Expr(request))
            elif isinstance(target, ast.Subscript):
                owner, index = expressions.visit(target.value), expressions.index(target.slice)
                result.append(ast.Expr(expressions.ask("del_item", "", target, owner, index)))
            elif isinstance(target, ast.Name) and self.scope.stores_global(target.id):
                result.append(ast.Expr(expressions.ask("global_delete", target.id, target)))
            else:
                if isinstance(target, ast.Name) and self.scope.kind(target.id) == CELL:
                    result.append(ast.Expr(expressions.ask("cell_write", target.id, target, ast.Constant(None))))
                result.append(ast.Delete([target]))
        return result

    # -- what binds names ------------------------------------------------------------------------------

    def _Import(self, node: ast.Import, expressions: Expressions) -> list[ast.stmt]:
        """An import runs as it is; what it brings is known to everybody."""
        names = [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
        return [node, *self._bound(names, node, expressions)]

    def _ImportFrom(self, node: ast.ImportFrom, expressions: Expressions) -> list[ast.stmt]:
        """An import of names."""
        return [node, *self._bound([alias.asname or alias.name for alias in node.names], node, expressions)]

    def _bound(self, names: list[str], node: ast.stmt, expressions: Expressions) -> list[ast.stmt]:
        """Names that a statement has bound by itself: what they hold is shared, and so are global names."""
        asked = [("known", name) for name in names if name != "*"]
        asked += [("global_write", name) for name in names if self.scope.stores_global(name)]
        return [ast.Expr(expressions.ask(op, name, node, get(name, node))) for op, name in asked]

    def _FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, expressions: Expressions) -> list[ast.stmt]:
        """A nested function stays; its decorators, defaults and annotations are worked out here; decorators are called.

        Annotations with type parameters are worked out in a scope of their own, and stay.
        """
        expressions.defaults(node.args)
        if not getattr(node, "type_params", []) and self.scope.annotated:
            arguments = node.args
            every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
            for part in filter(None, every):
                part.annotation = part.annotation and expressions.visit(part.annotation)
            node.returns = node.returns and expressions.visit(node.returns)
        return self._decorated(node, expressions)

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef, expressions: Expressions) -> list[ast.stmt]:
        """A class made on the way: its body runs as one step."""
        before: list[ast.stmt] = []
        plain = not getattr(node, "type_params", [])  # else they are worked out in a scope of their own

        def kept(value: ast.expr) -> ast.expr:
            if not plain or isinstance(value, ast.Starred):
                return expressions.visit(value)
            name = self.scope.fresh("base")
            before.append(put(name, expressions.visit(value)))
            return get(name, node)

        node.bases = [kept(base) for base in node.bases]
        for keyword in node.keywords:
            keyword.value = kept(keyword.value)
        if before:
            made_of = [get(statement.targets[0].id, node) for statement in before]  # type: ignore[attr-defined]
            before.append(ast.Expr(expressions.ask("making", node.name, node, ast.Tuple(made_of, ast.Load()))))
        if not all(map(_is_quiet, node.body)):
            before.append(ast.Expr(expressions.ask("opaque", node.name, node)))
        return self._decorated(node, expressions, before)

    def _decorated(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, expressions: Expressions,
        then: Sequence[ast.stmt] = (),
    ) -> list[ast.stmt]:  # fmt: skip
        """The decorators, worked out from top to bottom and called from bottom to top; `then` comes after them."""
        names, before = [], []
        for decorator in node.decorator_list:
            names.append(self.scope.fresh("decorator"))
            before.append(put(names[-1], expressions.visit(decorator)))
        node.decorator_list = []
        made_: ast.expr = get(node.name, node)
        for name in reversed(names):
            made_ = expressions.ask("call", "", node, get(name, node), place(ast.Tuple([made_], ast.Load()), node))
        stored = self.scope.stores_global(node.name) or self.scope.kind(node.name) == CELL
        if not names and not stored:
            return [*then, node]
        return [*before, *then, node, *self.store(ast.Name(node.name, ast.Store()), made_, expressions)]

    # -- blocks ----------------------------------------------------------------------------------------

    def _Collect(self, node: Collect, expressions: Expressions) -> list[ast.stmt]:
        """One element of a comprehension."""
        kept = load("ss_out")
        if node.key is None:
            element = expressions.hashed(node.value) if node.how == "add" else expressions.visit(node.value)
            return [ast.Expr(ast.Call(ast.Attribute(kept, node.how, ast.Load()), [element], []))]
        hashed, name = expressions.hashed(node.key), self.scope.fresh("key")  # it is worked out before the value
        slot = ast.Subscript(kept, get(name, node), ast.Store())
        return [put(name, hashed), ast.Assign([slot], expressions.visit(node.value))]

    def _If(self, node: ast.If, expressions: Expressions) -> list[ast.stmt]:
        """`if`: the test, then both branches."""
        return [ast.If(expressions.test(node.test), self.block(node.body), self.block(node.orelse))]

    def _Assert(self, node: ast.Assert, expressions: Expressions) -> list[ast.stmt]:
        """`assert`: the test; the message only where it fails."""
        return [ast.Assert(expressions.test(node.test), node.msg and expressions.visit(node.msg))]

    def _Raise(self, node: ast.Raise, expressions: Expressions) -> list[ast.stmt]:
        """`raise`: of a class, an object is made first."""
        if node.exc is None:
            return [node]
        problem = expressions.visit(node.exc)
        if not isinstance(node.exc, ast.Call):
            problem = expressions.ask("raising", "", node.exc, problem)
        return [ast.Raise(problem, node.cause and expressions.visit(node.cause))]

    def _While(self, node: ast.While, expressions: Expressions) -> list[ast.stmt]:
        """`while`: a tick at each turn, so that an endless loop is noticed."""
        test = node.test if isinstance(node.test, ast.Constant) else expressions.test(node.test)
        tick = ast.Expr(expressions.ask("tick", "", node))
        return [ast.While(test, [tick, *self.block(node.body)], self.block(node.orelse))]

    def _For(self, node: ast.For, expressions: Expressions) -> list[ast.stmt]:
        """`for`: over range() and other still things a plain loop; otherwise each element is a request.

        One loop serves both: `ss_forever` only turns, and the element is asked for.
        """
        fresh, source = self.scope.fresh, node.iter
        every, item, one, ended = fresh("all"), fresh("item"), fresh("one"), fresh("ended")
        start = [put(every, expressions.ask("iter", "", source, expressions.visit(source)))]
        text = (
            f"for {item} in {every} if ss_type({every}) in ss_still else ss_forever:\n"
            f"    if {item} is ss_asked:\n"
            f"        {one} = ASK\n"
            f"        if not {one}:\n"
            f"            {ended} = True\n"
            f"            break\n"
            f"        {item} = {one}[0]\n"
        )
        loop = made(text, source)
        asked = loop.body[0]
        asked.body[0].value = expressions.ask("next", "", source, get(every, source))
        body = self.block(node.body)
        loop.body += [*self.store(node.target, get(item, node.target), expressions), *body]
        drop = put(every, ast.Constant(None))
        if not node.orelse:
            del asked.body[1].body[0]
            if isinstance(node.target, ast.Name) and self.scope.kind(node.target.id) == LOCAL and not _asks(body):
                plain = ast.For(node.target, get(every, source), copy.deepcopy(body), [])
                still = made(f"ss_type({every}) in ss_still", source).value
                return [*start, ast.If(still, [plain], [loop]), drop]
            return [*start, loop, drop]
        loop.orelse = [put(ended, ast.Constant(True))]
        after = ast.If(get(ended, node), self.block(node.orelse), [])
        return [put(ended, ast.Constant(False)), *start, loop, drop, after]

    def _AsyncFor(self, node: ast.AsyncFor, expressions: Expressions) -> list[ast.stmt]:
        """`async for` stays: each element is an await."""
        name = self.scope.fresh("item")
        first = self.store(node.target, get(name, node.target), expressions)
        body = [*first, *self.block(node.body)]
        return [ast.AsyncFor(ast.Name(name, ast.Store()), expressions.visit(node.iter), body, self.block(node.orelse))]

    def _Match(self, node: ast.Match, expressions: Expressions) -> list[ast.stmt]:
        """`match`: which case it is, then that case's body."""
        return Patterns(self.scope, expressions, self.store, self.block).match(node)

    def _With(self, node: ast.With, expressions: Expressions) -> list[ast.stmt]:
        """`with`, one manager at a time."""
        item, rest = node.items[0], node.items[1:]
        manager, fine, error, value = (self.scope.fresh(stem) for stem in ("manager", "fine", "error", "value"))
        body: list[ast.stmt] = [place(ast.With(rest, node.body), node)] if rest else node.body
        source = item.context_expr
        entered = expressions.ask("enter", "", source, get(manager, source))
        start = self.store(item.optional_vars, get(value, source), expressions) if item.optional_vars else []
        self.scope.handled += 1
        leave = expressions.ask("exit", "", source, get(manager, source), get(error, source))
        self.scope.handled -= 1
        quiet = expressions.ask("exit", "", source, get(manager, source), ast.Constant(None))
        asked = expressions.truth(source, leave)
        guard = _guard([put(fine, ast.Constant(False))])
        failed = [put(fine, ast.Constant(False)), ast.If(ast.UnaryOp(ast.Not(), asked), [ast.Raise()], [])]
        handler = ast.ExceptHandler(load("ss_BaseException"), error, failed)
        inner = ast.Try([*start, *self.block(body)], [guard, handler], [], [])
        outer = ast.Try([inner], [], [], [ast.If(get(fine, source), [ast.Expr(quiet)], [])])
        first = put(manager, expressions.visit(source))
        return [first, put(value, entered), put(fine, ast.Constant(True)), outer]

    def _AsyncWith(self, node: ast.AsyncWith, expressions: Expressions) -> list[ast.stmt]:
        """`async with` stays: the manager's own awaits are the switch points."""
        items, first = [], []
        for item in node.items:
            slot, target = None, item.optional_vars
            if target is not None:
                slot = ast.Name(self.scope.fresh("value"), ast.Store())
                first += self.store(target, get(slot.id, target), expressions)
            items.append(ast.withitem(expressions.visit(item.context_expr), slot))
        return [ast.AsyncWith(items, [*first, *self.block(node.body)])]

    def _Try(self, node: ast.Try, expressions: Expressions) -> list[ast.stmt]:
        """`try`: an abandoned schedule passes through without running handlers or `finally`."""
        group = type(node).__name__ == "TryStar"
        handlers = []
        for handler in node.handlers:
            kind = expressions.visit(handler.type) if handler.type else None
            handlers.append(place(ast.ExceptHandler(kind, handler.name, self.handling(handler.body)), handler))
        guards = [_guard([])] if handlers and not group else []
        body = self.block(node.body)
        tried = type(node)(body, [*guards, *handlers], self.block(node.orelse), [])
        if not node.finalbody:
            return [tried]
        dropped = self.scope.fresh("dropped")
        inner: list[ast.stmt] = [tried] if handlers else body
        outer = ast.Try(inner, [_guard([put(dropped, ast.Constant(True))])], [], [])
        last = ast.If(ast.UnaryOp(ast.Not(), get(dropped, node)), self.handling(node.finalbody), [])
        return [put(dropped, ast.Constant(False)), ast.Try([outer], [], [], [last])]

    _TryStar = _Try


def _asks(body: list[ast.stmt]) -> bool:
    """True if rewritten code makes a request; a loop that makes none is written out twice, once as it was."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    calls = any(isinstance(node, ast.Name) and node.id == "ss_step" for node in nodes)
    return calls or any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.FunctionDef)) for node in nodes)


def _guard(first: list[ast.stmt]) -> ast.ExceptHandler:
    """The handler that lets an abandoned schedule pass."""
    return ast.ExceptHandler(load("ss_dropped"), None, [*first, ast.Raise()])


def _is_quiet(node: ast.stmt) -> bool:
    """True for a statement of a class body that looks at nothing and runs nothing."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        given = [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]
        wrapped = all(isinstance(d, ast.Name) and d.id in WRAPPING for d in node.decorator_list)
        return wrapped and all(isinstance(sub, QUIET) for value in given for sub in ast.walk(value))
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return True
    value = node.value if isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign)) else None
    named = isinstance(value, ast.Name)  # an object that may want to know its name
    plain = value is not None and not named and all(isinstance(sub, QUIET) for sub in ast.walk(value))
    return isinstance(node, ast.Pass) or plain
