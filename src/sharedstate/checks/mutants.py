"""Small deliberate mistakes in a solution. A check that accepts one is too lenient, or it is equivalent."""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

FLIPS = MappingProxyType({
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div,
    ast.Div: ast.Mult,
})
TWINS = MappingProxyType({"any": "all", "all": "any", "min": "max", "max": "min"})
WIDTH = 70
SEQUENCES = (ast.List, ast.Tuple, ast.Set)
Change = Callable[[], object]
KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Pass)


@dataclass(frozen=True)
class Mutant:
    """One mistake: `text` names it without line numbers (so that edits elsewhere do not change it)."""

    text: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """Return every mutant of a source, each with one change; a text that comes again gets #2, #3, …"""
    tree = ast.parse(source)
    found: list[Mutant] = []
    seen: Counter[str] = Counter()
    for what, changed in _changes(tree):
        text = ast.unparse(ast.fix_missing_locations(changed))
        seen[what] += 1
        found.append(Mutant(what if seen[what] == 1 else f"{what} #{seen[what]}", text + "\n"))
    return found


def _changes(tree: ast.Module) -> Iterator[tuple[str, ast.Module]]:
    """Yield (text, changed copy) for every place and mistake, in the order of the source."""
    for place, node in enumerate(ast.walk(tree)):
        for number, what in enumerate(_mistakes(node)):
            changed = copy.deepcopy(tree)
            target = list(ast.walk(changed))[place]
            before = _line(tree, node)
            list(_apply(target))[number]()
            yield f"{what} in: {before}", changed


def _mistakes(node: ast.AST) -> list[str]:
    """Name the mistakes that fit a node, in the order in which `_apply` offers them."""
    return [change.__doc__ or "" for change in _apply(node)]


def _apply(node: ast.AST) -> Iterator[Change]:
    """Yield functions that each make one mistake in the node, in place; the docstring names the mistake."""
    yield from _flips(node)
    yield from _calls(node)
    yield from _constants(node)
    yield from _collections(node)
    yield from _blocks(node)


def _named(function: Change, text: str) -> Change:
    function.__doc__ = text
    return function


def _flips(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in FLIPS:
        other = FLIPS[type(node.ops[0])]()
        compare = partial(setattr, node, "ops", [other, *node.ops[1:]])
        yield _named(compare, f"compare {_name(node.ops[0])} -> {_name(other)}")
    elif isinstance(node, (ast.BoolOp, ast.BinOp, ast.AugAssign)) and type(node.op) in FLIPS:
        new = FLIPS[type(node.op)]()
        yield _named(partial(setattr, node, "op", new), f"operator {_name(node.op)} -> {_name(new)}")
    elif isinstance(node, ast.IfExp):
        yield _named(lambda: _swap(node, "body", "orelse"), "swap both sides of if-else")


def _calls(node: ast.AST) -> Iterator[Change]:
    """`not` left out, any for all, min for max, the last argument forgotten."""
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
            yield _named(partial(setattr, node, field, value.operand), "drop not")
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in TWINS:
            other = TWINS[node.func.id]
            yield _named(lambda: setattr(node.func, "id", other), f"{node.func.id} -> {other}")
        if node.args:
            yield _named(lambda: node.args.pop(), f"drop argument `{_short(node.args[-1])}`")


def _constants(node: ast.AST) -> Iterator[Change]:
    """Numbers off by one (inside a text as well), floats doubled, True and False exchanged."""
    if not isinstance(node, ast.Constant):
        return
    value: object = node.value
    new: Sequence[object]
    if type(value) is bool:
        new = [not value]
    elif type(value) is int:
        new = [value + 1, value - 1]
    elif type(value) is str:
        new = _nudged(value)
    else:
        new = [value * 2] if type(value) is float and value else []
    for other in new:
        yield _named(partial(setattr, node, "value", other), f"{value!r} -> {other!r}")


def _nudged(text: str) -> list[str]:
    """A text whose only number is off by one, as in "alice*2"; none for any other text."""
    parts = re.split(r"(\d+)", text)
    return [f"{parts[0]}{int(parts[1]) + by}{parts[2]}" for by in (1, -1)] if len(parts) == 3 else []


def _collections(node: ast.AST) -> Iterator[Change]:
    """Neighbours exchanged and elements dropped, in lists, tuples, sets and dicts that are written out."""
    if isinstance(node, ast.Dict):
        for i in range(len(node.keys) - 1):
            yield _named(partial(_exchange, node.values, i), f"exchange values {i} and {i + 1}")
        for i in range(len(node.keys)):
            yield _named(partial(_drop, i, node.keys, node.values), f"drop key {i}")
    elif isinstance(node, SEQUENCES) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        for i in range(0 if isinstance(node, ast.Set) else len(node.elts) - 1):
            if ast.dump(node.elts[i]) != ast.dump(node.elts[i + 1]):
                yield _named(partial(_exchange, node.elts, i), f"exchange elements {i} and {i + 1}")
        for i in range(len(node.elts)):
            yield _named(partial(_drop, i, node.elts), f"drop element {i}")


def _blocks(node: ast.AST) -> Iterator[Change]:
    """Statements dropped, `with` bodies unwrapped, their first or last statement moved out."""
    fields = [getattr(node, field, None) for field in ("body", "orelse", "finalbody")]
    for body in [field for field in fields if type(field) is list]:
        for i, statement in enumerate(body):
            if not isinstance(statement, KEPT) and not _is_docstring(statement):
                dropped = _short(statement)
                yield _named(partial(_put, body, i, ast.Pass()), f"drop `{dropped}`")
            if isinstance(statement, (ast.With, ast.AsyncWith)):
                yield from _withs(body, i, statement)


def _withs(body: list[ast.stmt], i: int, block: ast.With | ast.AsyncWith) -> Iterator[Change]:
    yield _named(lambda: body.__setitem__(slice(i, i + 1), block.body), f"unwrap `{_short(block)}`")
    if len(block.body) > 1:
        yield _named(lambda: body.insert(i, block.body.pop(0)), f"move the first out of `{_short(block)}`")
        yield _named(lambda: body.insert(i + 1, block.body.pop()), f"move the last out of `{_short(block)}`")


def _swap(node: ast.AST, one: str, other: str) -> None:
    first, second = getattr(node, one), getattr(node, other)
    setattr(node, one, second)
    setattr(node, other, first)


def _exchange(items: list, i: int) -> None:
    items[i], items[i + 1] = items[i + 1], items[i]


def _drop(i: int, *lists: list) -> None:
    for one in lists:
        del one[i]


def _put(items: list, i: int, new: ast.AST) -> None:
    items[i] = new


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _name(operator: ast.AST) -> str:
    return type(operator).__name__


def _short(statement: ast.AST) -> str:
    """Return the first line of a statement, at most WIDTH characters of it."""
    line = ast.unparse(statement).splitlines()[0]
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def _line(tree: ast.Module, node: ast.AST) -> str:
    """Return the first line of the innermost statement that holds the node."""
    holders = [s for s in ast.walk(tree) if isinstance(s, ast.stmt) and any(n is node for n in ast.walk(s))]
    return _short(min(holders, key=lambda s: len(ast.dump(s)))) if holders else "the cell"
