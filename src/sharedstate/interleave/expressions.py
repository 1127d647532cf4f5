"""Rewrite expressions: every access that others could see becomes a request to the explorer."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from dataclasses import dataclass, field

from sharedstate.interleave.modules import fixed
from sharedstate.interleave.source import is_user_module
from sharedstate.interleave.state import ATOMIC

CONSUMERS = frozenset({"sum", "list", "sorted", "tuple", "set", "max", "min", "dict", "frozenset", "join"})


@dataclass
class Scope:
    """What the rewriter must know of the function: its names, its class, its module, its back end."""

    code: types.CodeType
    globals: dict
    owner: str | None
    nonlocals: frozenset[str]
    generators: bool
    site: Callable[..., int]
    extra: set[str] = field(default_factory=set)
    temporaries: int = 0

    def fresh(self, stem: str) -> str:
        """A local name that the learner does not use."""
        self.temporaries += 1
        return f"ss_{stem}{self.temporaries}"

    def kind(self, name: str) -> str:
        """ "local", "shared cell", "shared global" or "plain" for a name of the function."""
        if name in self.extra or name in self.code.co_varnames or name.startswith("ss_"):
            return "local"
        if name in self.code.co_freevars or name in self.code.co_cellvars:
            return "shared cell" if name in self.nonlocals else "local"
        return "shared global" if self._is_data(name) else "plain"

    def _is_data(self, name: str) -> bool:
        """True for a global that holds data: not a function, class or module, and not a builtin."""
        missing = object()
        value = self.globals.get(name, missing)
        if value is missing:
            builtin = self.globals.get("__builtins__", {})
            builtin = builtin if isinstance(builtin, dict) else vars(builtin)
            return name not in builtin
        return not isinstance(value, (type, types.ModuleType)) and not (
            callable(value) and hasattr(value, "__name__")
        )


class Expressions(ast.NodeTransformer):
    """Rewrite one expression; comprehensions are put into small functions in front of the statement."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.hoisted: list[ast.stmt] = []

    def ask(self, op: str, name: str, node: ast.AST, *arguments: ast.expr) -> ast.expr:
        """A request: `(yield (site, …))` for generators, a plain call for threads."""
        number = ast.Constant(self.scope.site(op, name, node))
        request = ast.Tuple([number, *arguments], ast.Load())
        if self.scope.generators:
            return place(ast.Yield(request), node)
        return place(ast.Call(ast.Name("ss_step", ast.Load()), [request], []), node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A global or a captured variable that others write is a step; other names are not."""
        kind = self.scope.kind(node.id) if isinstance(node.ctx, ast.Load) else "local"
        if kind == "shared global":
            return self.ask("global_read", node.id, node)
        if kind == "shared cell":
            pair = ast.Tuple([self.ask("cell_read", node.id, node), node], ast.Load())
            return place(ast.Subscript(pair, ast.Constant(1), ast.Load()), node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Reading an attribute."""
        if isinstance(node.value, ast.Name) and self._module(node.value.id):
            return node if self._fixed(node) else self.ask("read", node.attr, node, node.value)
        return self.ask("read", node.attr, node, self.visit(node.value))

    def _fixed(self, node: ast.Attribute) -> bool:
        """True for what a module has that does not change: a function, a class, a library's plain value."""
        module = self.scope.globals[node.value.id]  # type: ignore[attr-defined]
        value = vars(module).get(node.attr)
        return fixed(value) or (value is not None and type(value) in ATOMIC and not is_user_module(module))

    def _module(self, name: str) -> bool:
        """True if the name is a module that is not the learner's (math, threading, time)."""
        if self.scope.kind(name) != "plain":
            return False
        value = self.scope.globals.get(name)
        return isinstance(value, types.ModuleType)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Reading an item."""
        return self.ask("get_item", "", node, self.visit(node.value), self.index(node.slice))

    def index(self, node: ast.expr) -> ast.expr:
        """An index as a plain expression; a slice becomes a call of slice()."""
        if isinstance(node, ast.Slice):
            parts = [self.visit(p) if p else ast.Constant(None) for p in (node.lower, node.upper, node.step)]
            return ast.Call(ast.Name("slice", ast.Load()), parts, [])
        if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts):
            return ast.Tuple([self.index(e) for e in node.elts], ast.Load())
        return self.visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """`in` looks into a container, so it is a request; so is `is`, if both sides are worked out."""
        if not any(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in node.ops):
            return self.generic_visit(node)
        if len(node.ops) > 1:
            return self._chained(node)
        if isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            if isinstance(node.comparators[0], ast.Constant):
                return self.generic_visit(node)
            same = self.ask("is", "", node, self.visit(node.left), self.visit(node.comparators[0]))
            return same if isinstance(node.ops[0], ast.Is) else place(ast.UnaryOp(ast.Not(), same), node)
        inside = self.ask("contains", "", node, self.visit(node.left), self.visit(node.comparators[0]))
        return inside if isinstance(node.ops[0], ast.In) else place(ast.UnaryOp(ast.Not(), inside), node)

    def _chained(self, node: ast.Compare) -> ast.expr:
        """`a < b in c` is `a < b and b in c`, with b worked out once."""
        left, parts = node.left, []
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if right is not node.comparators[-1]:
                name = self.scope.fresh("link")
                right = place(ast.NamedExpr(ast.Name(name, ast.Store()), right), right)
            parts.append(self.visit(place(ast.Compare(left, [operator], [right]), node)))
            left = place(ast.Name(right.target.id, ast.Load()), right) if isinstance(right, ast.NamedExpr) else right
        return place(ast.BoolOp(ast.And(), parts), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call is a request: followed if the function is a learner's, else one step or none."""
        if hasattr(node, "ss_native"):
            node.args = [self.visit(a) for a in node.args]
            return node
        if isinstance(node.func, ast.Name):
            if node.func.id == "super" and not node.args:
                return self._super(node)
            if node.func.id == "range" and self.scope.kind("range") == "plain":
                return self.generic_visit(node)
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            node = self._consume(node)
        positional = ast.Tuple([self.visit(a) for a in node.args], ast.Load())
        keywords = [self._keywords(node)] if node.keywords else []
        function = node.func
        if isinstance(function, ast.Attribute) and not (
            isinstance(function.value, ast.Name) and self._module(function.value.id)
        ):
            return self.ask("method", function.attr, node, self.visit(function.value), positional, *keywords)
        return self.ask("call", ast.unparse(function), node, self.visit(function), positional, *keywords)

    def _keywords(self, node: ast.Call) -> ast.expr:
        """Keyword arguments as a dictionary."""
        keys = [ast.Constant(k.arg) if k.arg else None for k in node.keywords]
        return ast.Dict(keys, [self.visit(k.value) for k in node.keywords])

    def _super(self, node: ast.Call) -> ast.expr:
        """`super()` with its two arguments written out."""
        first = ast.Name(self.scope.code.co_varnames[0], ast.Load())
        return place(ast.Call(node.func, [ast.Name("__class__", ast.Load()), first], []), node)

    def _consume(self, node: ast.Call) -> ast.Call:
        """A generator expression whose consumer uses all of it becomes a list."""
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        source = node.args[0]
        if name in ("any", "all"):
            short = ast.ListComp(source.elt, source.generators)
            short.ss_stop = name == "any"
            return place(ast.Call(ast.Name("bool", ast.Load()), [place(short, source)], []), node)
        if name not in CONSUMERS:
            return node
        return place(ast.Call(node.func, [place(ast.ListComp(source.elt, source.generators), source)], []), node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """A lambda stays as it is (it is rewritten when it is called); its defaults are evaluated here."""
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """A list comprehension."""
        return self._comprehension(node, "append", [node.elt])

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        """A set comprehension."""
        return self._comprehension(node, "add", [node.elt])

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        """A dictionary comprehension."""
        return self._comprehension(node, "__setitem__", [node.key, node.value])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        """A generator expression that is kept for later becomes a small generator function."""
        return self._comprehension(node, "yield", [node.elt])

    def _comprehension_in_place(self, node: ast.expr) -> ast.expr:
        """For threads, a comprehension stays one; its variables are local to it."""
        names = targets(node.generators)
        added = names - self.scope.extra
        self.scope.extra |= added
        visited = self.generic_visit(node)
        self.scope.extra -= added
        return visited

    def _comprehension(self, node: ast.expr, method: str, parts: list[ast.expr]) -> ast.expr:
        """Hoist a comprehension into a generator function in front of the statement."""
        if any(isinstance(sub, ast.Await) or getattr(sub, "is_async", 0) for sub in ast.walk(node)):
            return self._comprehension_in_place(node)
        from sharedstate.interleave.comprehensions import hoist

        return hoist(self, node, method, parts)

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        """`yield` in a learner's generator hands out an element; on real threads it stays."""
        if not self.scope.generators:
            return self.generic_visit(node)
        return self.ask("emit", "", node, self.visit(node.value) if node.value else ast.Constant(None))

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        """`yield from` as a loop that hands out what it gets."""
        from sharedstate.interleave.comprehensions import delegate

        return delegate(self, node)


def targets(generators: list[ast.comprehension]) -> set[str]:
    """The names that a comprehension binds."""
    return {n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}


def place(new: ast.AST, old: ast.AST) -> ast.AST:
    """Give a new node the old one's place in the source."""
    return ast.copy_location(new, old)
