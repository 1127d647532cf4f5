"""Requests, which stand in rewritten code in place of what others could see, and the small parts around them.

A request is `(yield (site, operands…))`; its answer is the expression's value. Operators on plain values (numbers,
strings, functions, …: `ss_atoms`) are worked out in place, without a request: nobody can change such an operand.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

from sharedstate.interleave.rewrite.scope import LOCAL, Scope
from sharedstate.interleave.source.lookup import parse

BOOLEAN = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
SIMPLE = (ast.Name, ast.Constant)
RELAYED = frozenset({"call", "method", "read", "write", "raising", "enter", "exit", "binary", "compare", "get_item"})
Node = TypeVar("Node", bound=ast.AST)


class Requests(ast.NodeTransformer):
    """What a rewriter of expressions is made of; `hoisted` are functions that must stand in front of the statement."""

    def __init__(self, scope: Scope, block: Callable[[list[ast.stmt]], list[ast.stmt]]) -> None:
        self.scope, self.block = scope, block
        self.hoisted: list[ast.stmt] = []

    def ask(self, op: str, name: str, node: ast.AST, *operands: ast.expr) -> ast.expr:
        """A request."""
        number = ast.Constant(self.scope.site(op, name, node))
        request = ast.Tuple([number, *operands], ast.Load())
        if self.scope.yields and self.scope.handled and op in RELAYED:
            note = ast.Constant(self.scope.site("handled", "", node))
            relayed = ast.YieldFrom(ast.Call(load("ss_relay"), [note, request], []))
            return place(ast.Call(load("ss_settled"), [relayed], []), node)
        if self.scope.yields:
            return place(ast.Yield(request), node)
        return place(ast.Call(load("ss_step"), [request], []), node)

    def keep(self, value: ast.expr, names: bool = True) -> tuple[ast.expr, ast.expr]:
        """An expression that works a value out and keeps it, and one that uses it again.

        Without `names` a local name is kept too: what comes between may bind it anew (`a + (a := 1)`).
        """
        local = names and isinstance(value, ast.Name) and self.scope.kind(value.id) == LOCAL
        if local or isinstance(value, ast.Constant):
            return value, value
        name = self.scope.fresh("v")
        return place(ast.NamedExpr(ast.Name(name, ast.Store()), value), value), get(name, value)

    def unless_plain(
        self, node: ast.AST, values: list[ast.expr], plain: Callable[..., ast.expr], ask: Callable[..., ast.expr]
    ) -> ast.expr:
        """`plain` in place if every value is a plain one, else `ask`; values are worked out once, in their order."""
        tests, again = [], []
        names = all(isinstance(value, SIMPLE) for value in values)
        for value in values:
            first, use = self.keep(value, names)
            again.append(use)
            if not isinstance(value, ast.Constant):
                tests.append(_is_plain(first))
        if not tests:
            return place(plain(*again), node)
        test = tests[0]
        for other in tests[1:]:
            test = ast.BinOp(test, ast.BitAnd(), other)  # not `and`: both sides are worked out
        return place(ast.IfExp(test, place(plain(*again), node), ask(*again)), node)

    def test(self, node: ast.expr) -> ast.expr:
        """An expression that is only asked whether it is true."""
        if isinstance(node, ast.BoolOp):
            return place(ast.BoolOp(node.op, [self.test(value) for value in node.values]), node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return place(ast.UnaryOp(ast.Not(), self.test(node.operand)), node)
        return self.truth(node, self.visit(node))

    def truth(self, node: ast.expr, value: ast.expr) -> ast.expr:
        """Whether a value, already rewritten, is true; for a plain one, the value itself."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], BOOLEAN):
            return value
        return self.unless_plain(node, [value], lambda v: v, lambda v: self.ask("truth", "", node, v))

    def hashed(self, node: ast.expr) -> ast.expr:
        """A value that a display hashes."""
        value = self.visit(node)
        if isinstance(node, (ast.Constant, ast.Starred)):
            return value
        return self.unless_plain(node, [value], lambda v: v, lambda v: self.ask("hashed", "", node, v))


def place(new: Node, old: ast.AST) -> Node:
    """Give a new node the old one's place in the source."""
    return ast.copy_location(new, old)


def load(name: str) -> ast.expr:
    """`name`, read."""
    return ast.Name(name, ast.Load())


def get(name: str, node: ast.AST) -> ast.expr:
    """`name`, read, at a node's place."""
    return place(load(name), node)


def put(name: str, value: ast.expr) -> ast.stmt:
    """`name = value`."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def made(text: str, node: ast.AST) -> Any:
    """A statement of the rewriter's own, standing where the learner's code stands."""
    statement = parse(text).body[0]
    for sub in ast.walk(statement):
        if "lineno" in sub._attributes:
            place(sub, node)
    return statement


def _is_plain(value: ast.expr) -> ast.expr:
    """`type(value) in ss_atoms`."""
    kind = ast.Call(load("ss_type"), [value], [])
    return place(ast.Compare(kind, [ast.In()], [load("ss_atoms")]), value)
