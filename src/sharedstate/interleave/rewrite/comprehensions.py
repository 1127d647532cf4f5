"""Comprehensions and `yield from`: no request is allowed inside one, so it moves into a function before."""

from __future__ import annotations

import ast
from types import MappingProxyType

from sharedstate.interleave.rewrite.requests import Requests, get, made, place
from sharedstate.interleave.rewrite.scope import Scope

EMPTY = MappingProxyType({"ListComp": "[]", "SetComp": "ss_set()", "DictComp": "{}", "GeneratorExp": "None"})
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
# PEP 380, with requests in place of the calls. What is thrown in goes on to the source.
DELEGATE = """
def ss_from(ss_source):
    ss_all = ASK_delegate
    ss_one = ASK_next
    while ss_one:
        try:
            ss_sent = ASK_emit
        except ss_dropped:
            raise
        except GeneratorExit:
            ASK_close
            raise
        except BaseException as ss_error:
            ss_one = ASK_throw
        else:
            ss_one = ASK_send
    return ASK_outcome
"""


def hoist(rewriter: Requests, node: Comprehension) -> ast.expr:
    """Put the loops into a function in `rewriter.hoisted`; return the expression that runs it."""
    scope, kind = rewriter.scope, type(node).__name__
    name, source = scope.fresh("loop"), scope.fresh("source")
    first = rewriter.visit(node.generators[0].iter)
    assigned = _assigned(node, scope)
    added = bound(node.generators) - scope.extra
    scope.extra |= added
    body = _loops(rewriter, node, source)
    scope.extra -= added
    lazy = kind == "GeneratorExp"
    text = f"def {name}({source}):\n    ss_out = {EMPTY[kind]}\n    return {'None' if lazy else 'ss_out'}\n    yield"
    function = made(text, node)
    function.body[1:1] = body
    if assigned:
        function.body.insert(0, place(ast.Nonlocal(assigned), node))
        rewriter.hoisted.append(made("if 0: " + "; ".join(f"{n} = None" for n in assigned), node))
    rewriter.hoisted.append(function)
    if lazy:
        return rewriter.ask("lazy", "", node, rewriter.ask("each", "", node, first), get(name, node))
    return _run(name, first, node)


def _run(name: str, source: ast.expr, node: ast.expr) -> ast.expr:
    """The expression that runs a hoisted function."""
    return place(ast.YieldFrom(place(ast.Call(get(name, node), [source], []), node)), node)


def bound(generators: list[ast.comprehension]) -> set[str]:
    """The names that a comprehension binds."""
    return {n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}


def _loops(rewriter: Requests, node: Comprehension, source: str) -> list[ast.stmt]:
    """The loops and conditions, inside out, rewritten as a learner's own would be."""
    inner: ast.stmt
    if isinstance(node, ast.GeneratorExp):
        inner = ast.Expr(place(ast.Yield(node.elt), node.elt))
    elif isinstance(node, ast.DictComp):
        inner = Collect("", node.value, node.key)
    else:
        inner = Collect("add" if isinstance(node, ast.SetComp) else "append", node.elt, None)
    place(inner, node)
    for number, part in reversed(list(enumerate(node.generators))):
        for test in reversed(part.ifs):
            inner = place(ast.If(test, [inner], []), test)
        over = part.iter if number else get(source, part.iter)
        inner = place(ast.For(part.target, over, [inner], []), part.target)
    return rewriter.block([inner])


class Collect(ast.Expr):
    """A statement of the rewriter's own: keep an element of a comprehension, by a method (`how`) or under its key."""

    def __init__(self, how: str, value: ast.expr, key: ast.expr | None) -> None:
        super().__init__(value)
        self.how, self.key = how, key


def _assigned(node: ast.expr, scope: Scope) -> list[str]:
    """The names that `:=` binds inside a comprehension: they belong to the function around it."""
    names = {sub.target.id for sub in ast.walk(node) if isinstance(sub, ast.NamedExpr)}
    return sorted(name for name in names if not name.startswith("ss_") and not scope.stores_global(name))


def delegate(rewriter: Requests, node: ast.YieldFrom) -> ast.expr:
    """`yield from source`: a function that hands out the elements and gives what the source returned."""
    asked = {
        "delegate": ("delegate", "ss_source"), "next": ("next", "ss_all"), "emit": ("emit", "ss_one[0]"),
        "close": ("close_inner", "ss_all"), "throw": ("throw_inner", "ss_all", "ss_error"),
        "send": ("send_inner", "ss_all", "ss_sent"), "outcome": ("outcome", "ss_all"),
    }  # fmt: skip

    class Fill(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            if not name.id.startswith("ASK_"):
                return name
            op, *operands = asked[name.id.removeprefix("ASK_")]
            return rewriter.ask(op, "", node, *(made(text, node).value for text in operands))

    source = rewriter.visit(node.value)
    function = Fill().visit(made(DELEGATE, node))
    function.name = rewriter.scope.fresh("from")
    rewriter.hoisted.append(function)
    return _run(function.name, source, node)
