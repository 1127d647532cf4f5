"""Comprehensions as loops: `yield` is not allowed inside one, so it moves into a function before the statement."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from sharedstate.interleave.expressions import place, targets

if TYPE_CHECKING:
    from sharedstate.interleave.expressions import Expressions


def hoist(rewriter: Expressions, node: ast.expr, method: str, parts: list[ast.expr]) -> ast.expr:
    """Append the loop as a function to `rewriter.hoisted`; return the expression that runs it."""
    from sharedstate.interleave.statements import Statements

    scope = rewriter.scope
    name, argument = scope.fresh("loop"), scope.fresh("source")
    first = rewriter.visit(node.generators[0].iter)
    body = _body(node, method, parts, argument)
    added = targets(node.generators) - scope.extra
    scope.extra |= added
    inner = Statements(scope).block(body)
    scope.extra -= added
    rewriter.hoisted.append(_function(name, argument, inner, node, scope.generators))
    call = ast.Call(ast.Name(name, ast.Load()), [first], [])
    return place(ast.YieldFrom(call) if scope.generators else call, node)


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
