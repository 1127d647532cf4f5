"""Comprehensions as loops: `yield` is not allowed inside one, so it moves into a function before the statement."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from sharedstate.interleave.expressions import place, targets
from sharedstate.interleave.sites import Unsupported

if TYPE_CHECKING:
    from sharedstate.interleave.expressions import Expressions


def hoist(rewriter: Expressions, node: ast.expr, method: str, parts: list[ast.expr]) -> ast.expr:
    """Append the loop as a function to `rewriter.hoisted`; return the expression that runs it."""
    from sharedstate.interleave.statements import Statements

    scope = rewriter.scope
    name, argument = scope.fresh("loop"), scope.fresh("source")
    first = rewriter.visit(node.generators[0].iter)
    body = _body(node, method, parts, argument)
    assigned = _assigned(node, scope)
    added = targets(node.generators) - scope.extra
    scope.extra |= added
    inner = Statements(scope).block(body)
    scope.extra -= added
    if method == "yield":
        inner.pop()
    if assigned:
        inner.insert(0, place(ast.Nonlocal(assigned), node))
        rewriter.hoisted += [place(_never_bound(assigned, node), node)]
    rewriter.hoisted.append(_function(name, argument, inner, node, scope.generators))
    call = ast.Call(ast.Name(name, ast.Load()), [first], [])
    if method == "yield":
        return rewriter.ask("lazy", "", node, call)
    return place(ast.YieldFrom(call) if scope.generators else call, node)


def delegate(rewriter: Expressions, node: ast.YieldFrom) -> ast.expr:
    """`yield from source`: a function that hands out the elements and returns what the source returned."""
    scope, ask = rewriter.scope, rewriter.ask
    name, argument = scope.fresh("loop"), scope.fresh("source")
    iterator, item = ast.Name("ss_all", ast.Load()), ast.Name("ss_one", ast.Load())
    element = ast.Subscript(item, ast.Constant(0), ast.Load())
    body = [
        ast.Assign([ast.Name("ss_all", ast.Store())], ask("iter", "", node, ast.Name(argument, ast.Load()))),
        ast.While(ast.Constant(True), [
            ast.Assign([ast.Name("ss_one", ast.Store())], ask("next", "", node, iterator)),
            ast.If(ast.UnaryOp(ast.Not(), item), [ast.Return(ask("outcome", "", node, iterator))], []),
            ast.Expr(ask("emit", "", node, element) if scope.generators else ast.Yield(element)),
        ], []),
    ]  # fmt: skip
    source = rewriter.visit(node.value)
    rewriter.hoisted.append(_function(name, argument, body, node, False))
    return place(ast.YieldFrom(ast.Call(ast.Name(name, ast.Load()), [source], [])), node)


def _assigned(node: ast.expr, scope: Any) -> list[str]:
    """The names that `:=` binds inside a comprehension: they belong to the function around it."""
    names = sorted({sub.target.id for sub in ast.walk(node) if isinstance(sub, ast.NamedExpr)})
    names = [name for name in names if not name.startswith("ss_link")]
    if any(scope.kind(name) not in ("local", "shared cell") for name in names):
        raise Unsupported("an assignment to a global inside a comprehension")
    return names


def _never_bound(names: list[str], node: ast.expr) -> ast.stmt:
    """`if 0: name = None`, so that the compiler knows the names as local."""
    return ast.If(ast.Constant(0), [ast.Assign([ast.Name(n, ast.Store())], ast.Constant(None)) for n in names], [])


def _body(node: ast.expr, method: str, parts: list[ast.expr], argument: str) -> list[ast.stmt]:
    """The loops, inside out, and the result."""
    statement = _collect(node, method, parts)
    for place_, part in reversed(list(enumerate(node.generators))):
        for test in reversed(part.ifs):
            statement = place(ast.If(test, [statement], []), test)
        source = ast.Name(argument, ast.Load()) if place_ == 0 else part.iter
        statement = place(ast.For(part.target, source, [statement], []), node)
    stop = getattr(node, "ss_stop", None)
    result = ast.Name("ss_out", ast.Load()) if stop is None else ast.Constant(not stop)
    return [place(statement, node), place(ast.Return(result), node)]


def _collect(node: ast.expr, method: str, parts: list[ast.expr]) -> ast.stmt:
    """What happens for each element: it is collected, or ends any() and all()."""
    stop = getattr(node, "ss_stop", None)
    if stop is not None:
        test = parts[0] if stop else ast.UnaryOp(ast.Not(), parts[0])
        return place(ast.If(place(test, node), [place(ast.Return(ast.Constant(stop)), node)], []), node)
    if method == "yield":
        return place(ast.Expr(place(ast.Yield(parts[0]), node)), node)
    collect = ast.Attribute(ast.Name("ss_out", ast.Load()), method, ast.Load())
    call = ast.Call(collect, parts, [])
    call.ss_native = True
    return place(ast.Expr(place(call, node)), node)


def _function(name: str, argument: str, body: list[ast.stmt], node: ast.expr, lazy: bool) -> ast.stmt:
    """The function around the loops; `if 0: yield` makes it a generator even without a request."""
    kinds = {ast.SetComp: ast.Call(ast.Name("set", ast.Load()), [], []), ast.DictComp: ast.Dict([], [])}
    empty = kinds.get(type(node), ast.List([], ast.Load()))
    start = ast.Assign([ast.Name("ss_out", ast.Store())], empty)
    never = [ast.If(ast.Constant(0), [ast.Expr(ast.Yield())], [])] if lazy else []
    arguments = ast.arguments([], [ast.arg(argument)], None, [], [], None, [])
    function = ast.FunctionDef(name, arguments, [start, *body, *never], [], None)
    function.type_params = []
    return ast.fix_missing_locations(place(function, node))
