"""Rewrite expressions: everything that may read or change an object, or run code, becomes a request."""

from __future__ import annotations

import ast

from sharedstate.interleave.rewrite.comprehensions import Comprehension, bound, delegate, hoist
from sharedstate.interleave.rewrite.requests import SIMPLE, Requests, load, place
from sharedstate.interleave.rewrite.scope import CELL, FIXED, GLOBAL
from sharedstate.interleave.sites import Unsupported


class Expressions(Requests):
    """Rewrite one expression; comprehensions are put into small functions in front of the statement."""

    # -- names -----------------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A global or a captured variable that others write is a step; other names are not."""
        if not isinstance(node.ctx, ast.Load):
            return node
        kind = self.scope.kind(node.id)
        if kind == GLOBAL:
            return self.ask("global_read", node.id, node)
        if kind == CELL:
            pair = ast.Tuple([self.ask("cell_read", node.id, node), node], ast.Load())
            return place(ast.Subscript(pair, ast.Constant(1), ast.Load()), node)
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        """`name := value`."""
        value, name = self.visit(node.value), node.target.id
        if self.scope.stores_global(name):
            return self.ask("global_write", name, node, value)
        if self.scope.kind(name) == CELL:
            value = self.ask("cell_write", name, node, value)
        return place(ast.NamedExpr(node.target, value), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Reading an attribute."""
        return self.ask("read", node.attr, node, self.visit(node.value))

    # -- items -----------------------------------------------------------------------------------------

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Reading an item."""
        return self.ask("get_item", "", node, self.visit(node.value), self.index(node.slice))

    def index(self, node: ast.expr) -> ast.expr:
        """An index as a plain expression; a slice becomes an object."""
        if isinstance(node, ast.Slice):
            parts = [self.visit(p) if p else ast.Constant(None) for p in (node.lower, node.upper, node.step)]
            return place(ast.Call(load("ss_slice"), parts, []), node)
        if isinstance(node, ast.Tuple):
            return place(ast.Tuple([self.index(e) for e in node.elts], ast.Load()), node)
        return self.visit(node)

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        """`*sequence` in a call or a display: taken apart first."""
        if not isinstance(node.ctx, ast.Load):
            return node
        whole = self.ask("star", "", node, self.visit(node.value))
        return place(ast.Starred(whole, ast.Load()), node)

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        """A display: keys are hashed, and `**mapping` is taken apart."""
        keys: list[ast.expr | None] = []
        values = []
        for key, value in zip(node.keys, node.values, strict=True):
            keys.append(None if key is None else self.hashed(key))
            whole = self.visit(value)
            values.append(self.ask("mapping", "", value, whole) if key is None else whole)
        return place(ast.Dict(keys, values), node)

    def visit_Set(self, node: ast.Set) -> ast.expr:
        """A display: elements are hashed."""
        return place(ast.Set([self.hashed(e) for e in node.elts]), node)

    # -- operators -------------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """`a + b`."""
        name = type(node.op).__name__
        return self.unless_plain(
            node, [self.visit(node.left), self.visit(node.right)],
            lambda a, b: ast.BinOp(a, node.op, b), lambda a, b: self.ask("binary", name, node, a, b),
        )  # fmt: skip

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """`-a`; `not a` asks for the truth of a."""
        if isinstance(node.op, ast.Not):
            return place(ast.UnaryOp(ast.Not(), self.test(node.operand)), node)
        name = type(node.op).__name__
        return self.unless_plain(
            node, [self.visit(node.operand)],
            lambda a: ast.UnaryOp(node.op, a), lambda a: self.ask("unary", name, node, a),
        )  # fmt: skip

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """`a and b` as a value: the first that decides."""
        *others, result = [self.visit(value) for value in node.values]
        for source, value in zip(node.values[-2::-1], others[::-1], strict=True):
            first, again = self.keep(value)
            test = self.truth(source, first)
            pair = (result, again) if isinstance(node.op, ast.And) else (again, result)
            result = place(ast.IfExp(test, *pair), node)
        return result

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """`a if test else b`."""
        return place(ast.IfExp(self.test(node.test), self.visit(node.body), self.visit(node.orelse)), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """A comparison; `a < b < c` is `a < b and b < c` with b worked out once."""
        if len(node.ops) > 1:
            return self._chained(node)
        left, right = self.visit(node.left), self.visit(node.comparators[0])
        return self._compare(node, node.ops[0], left, right)

    def _compare(self, node: ast.Compare, op: ast.cmpop, left: ast.expr, right: ast.expr) -> ast.expr:
        """One comparison of two values that are already rewritten; `is` looks at no content."""
        if isinstance(op, (ast.Is, ast.IsNot)):
            return place(ast.Compare(left, [op], [right]), node)
        name, inside = type(op).__name__, isinstance(op, (ast.In, ast.NotIn))

        def ask(a: ast.expr, b: ast.expr) -> ast.expr:
            if not inside:
                return self.ask("compare", name, node, a, b)
            found = self.ask("contains", "", node, a, b)
            return found if name == "In" else place(ast.UnaryOp(ast.Not(), found), node)

        return self.unless_plain(node, [left, right], lambda a, b: ast.Compare(a, [op], [b]), ask)

    def _chained(self, node: ast.Compare) -> ast.expr:
        """Comparisons in a row; each is the value if it is false, else the next one."""
        first, _ = self.keep(self.visit(node.left), False)
        parts = []
        for operator, right in zip(node.ops, node.comparators, strict=True):
            value, again = self.keep(self.visit(right), False)
            parts.append(self._compare(node, operator, first, value))
            first = again
        *others, result = parts
        for part in reversed(others):
            kept, again = self.keep(part)
            result = place(ast.IfExp(self.truth(node, kept), result, again), node)
        return result

    # -- strings ---------------------------------------------------------------------------------------

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """An f-string: each part is formatted by itself."""
        parts = [self._formatted(p) if isinstance(p, ast.FormattedValue) else p for p in node.values]
        return place(ast.JoinedStr(parts), node)

    def _formatted(self, node: ast.FormattedValue) -> ast.expr:
        """One value with its conversion and its format."""
        value = self.visit(node.value)
        spec = self.visit(node.format_spec) if node.format_spec else None
        conversion = chr(node.conversion) if node.conversion > 0 else ""

        def plain(v: ast.expr) -> ast.expr:
            return place(ast.JoinedStr([ast.FormattedValue(v, node.conversion, spec)]), node)

        text = self.unless_plain(
            node.value, [value], plain,
            lambda v: self.ask("format", conversion, node.value, v, spec or ast.Constant("")),
        )  # fmt: skip
        return place(ast.FormattedValue(text, -1, None), node)

    # -- calls -----------------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call: followed if the function is a learner's; else it is known what it touches, or the result says so."""
        function = node.func
        if _asks_for_exception(function):
            return node
        if isinstance(function, ast.Name) and function.id == "super" and not node.args and not node.keywords:
            code = self.scope.code
            if self.scope.kind("super") == FIXED and "__class__" in code.co_freevars and code.co_argcount:
                return self._super(node)
        named = all(k.arg for k in node.keywords)
        if named and isinstance(function, ast.Attribute) and all(isinstance(a, SIMPLE) for a in self._given(node)):
            thing = self.visit(function.value)
            return self.ask("method", function.attr, node, thing, self._positional(node), *self._named(node))
        called = self.visit(function)
        only = node.args[0] if len(node.args) == 1 else None
        if not isinstance(only, ast.Starred) and all(k.arg for k in node.keywords):
            return self.ask("call", _said(function), node, called, self._positional(node), *self._named(node))
        called, again = self.keep(called, False)  # errors in the arguments name the function
        if isinstance(only, ast.Starred):
            given = self.ask("star", "", node, self.visit(only.value), again)
            positional: ast.expr = place(ast.Tuple([place(ast.Starred(given, ast.Load()), node)], ast.Load()), node)
        else:
            positional = self._positional(node)
        return self.ask("call", _said(function), node, called, positional, *self._named(node, again))

    @staticmethod
    def _given(node: ast.Call) -> list[ast.expr]:
        """The arguments of a call."""
        return [*node.args, *(k.value for k in node.keywords)]

    def _positional(self, node: ast.Call) -> ast.expr:
        """The arguments by position, as a tuple."""
        return ast.Tuple([self.visit(a) for a in node.args], ast.Load())

    def _named(self, node: ast.Call, function: ast.expr | None = None) -> list[ast.expr]:
        """The arguments by name as a dictionary, where there are some."""
        if not node.keywords:
            return []
        keys: list[ast.expr | None] = [ast.Constant(k.arg or None) for k in node.keywords]
        values = [self.visit(k.value) for k in node.keywords]
        if all(k.arg for k in node.keywords):
            return [ast.Dict(keys, values)]
        named = zip(node.keywords, values, strict=True)
        pairs = [ast.Tuple([ast.Constant(k.arg or None), value], ast.Load()) for k, value in named]
        return [self.ask("keywords", "", node, function or ast.Constant(None), *pairs)]

    def _super(self, node: ast.Call) -> ast.expr:
        """`super()` with its two arguments written out: the class around, and the first argument."""
        first = load(self.scope.code.co_varnames[0])
        call = ast.Call(node.func, [load("__class__"), first], [])
        return place(call, node)

    # -- functions, comprehensions, generators -----------------------------------------------------------

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """A lambda stays as it is (it is rewritten when it is called); its defaults are worked out here."""
        self.defaults(node.args)
        return node

    def defaults(self, arguments: ast.arguments) -> None:
        """Default arguments are worked out where the function is made."""
        arguments.defaults = [self.visit(d) for d in arguments.defaults]
        arguments.kw_defaults = [d and self.visit(d) for d in arguments.kw_defaults]

    def _comprehension(self, node: Comprehension) -> ast.expr:
        """A comprehension: a function of its own, in front of the statement."""
        if not self.scope.yields:
            return self._in_place(node)
        return hoist(self, node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _in_place(self, node: Comprehension) -> ast.expr:
        """Beside coroutines a comprehension stays one; its variables are local to it, its conditions are asked."""
        names = bound(node.generators)
        added = names - self.scope.extra
        self.scope.extra |= added
        for part in node.generators:
            source = self.visit(part.iter)
            part.iter = source if part.is_async else self.ask("each", "", part.iter, source)
            part.ifs = [self.test(condition) for condition in part.ifs]
        for key in ("elt", "key", "value"):
            if hasattr(node, key):
                setattr(node, key, self.visit(getattr(node, key)))
        self.scope.extra -= added
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        """`yield` in a learner's generator hands out an element; beside coroutines it stays."""
        value = self.visit(node.value) if node.value else ast.Constant(None)
        if not self.scope.yields:
            return place(ast.Yield(value), node)
        return self.ask("emit", "", node, value)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        """`yield from source`: hands out what the source hands out."""
        if not self.scope.yields:
            return self.generic_visit(node)
        return delegate(self, node)

    def visit_Await(self, node: ast.Await) -> ast.AST:
        """An await stays: it is where others may move."""
        if self.scope.yields:
            raise Unsupported("await")
        return self.generic_visit(node)


def _asks_for_exception(function: ast.expr) -> bool:
    """True for `sys.exc_info()`: what is being handled is known in the function's own frame only."""
    return (
        isinstance(function, ast.Attribute)
        and function.attr in ("exc_info", "exception")
        and isinstance(function.value, ast.Name)
        and function.value.id == "sys"
    )


def _said(function: ast.expr) -> str:
    """How a call is named; long expressions are not."""
    return ast.unparse(function) if isinstance(function, (ast.Name, ast.Attribute)) else ""
