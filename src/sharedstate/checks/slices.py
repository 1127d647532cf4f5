"""From a notebook's cells, the lines that make one answer: what it is built of, in whatever cells; no trial lines.

A trial line (a print, an assert, a loop over examples) neither makes nor changes what the answer is built of, so it
falls away, and an answer that is judged from its source may be tried out in its own cell.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

CHANGES = frozenset((
    "update", "setdefault", "append", "extend", "insert", "add", "pop", "clear", "remove", "discard", "popitem",
    "__setitem__", "register", "sort", "reverse",
))
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
MAGIC = re.compile(r"^\s*(%(?!%)|!|\?)|\?\??\s*$")
TIMED = ("%%time", "%%timeit", "%%capture", "%%prun")


@dataclass(frozen=True)
class Slice:
    """The lines of an answer as one text, and for each line the cell and the line of it that it comes from."""

    text: str = ""
    origins: tuple[tuple[int, int], ...] = ()

    def place(self, line: int) -> str:
        """Return "cell [3], line 7" for a line of the text."""
        cell, inside = self.origins[line - 1] if 0 < line <= len(self.origins) else (0, line)
        return f"cell [{cell}], line {inside}"


    def short(self, line: int) -> str:
        """Return "[3]:7" for a line of the text."""
        cell, inside = self.origins[line - 1] if 0 < line <= len(self.origins) else (0, line)
        return f"[{cell}]:{inside}"


@dataclass
class Statement:
    """One statement at the top of a cell: its lines, what it binds for certain, may change, and uses when."""

    cell: int
    lines: range
    tree: ast.stmt
    binds: frozenset[str] = frozenset()
    changes: set[str] = field(default_factory=set)
    now: set[str] = field(default_factory=set)
    later: set[str] = field(default_factory=set)


def prepared(source: str) -> str:
    """Return a cell as plain Python with the same lines: magics and shell lines become `pass`."""
    lines = source.split("\n")
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if lines and lines[first].startswith("%%"):
        if not lines[first].startswith(TIMED):
            return "\n" * (len(lines) - 1)
        lines[first] = ""
    if not _parsed("\n".join(lines)):
        lines = ["pass" if MAGIC.match(line) or MAGIC.search(line) else line for line in lines]
    return "\n".join(lines)


def answer_slice(sources: Sequence[tuple[int, str]], name: str, known: str = "") -> Slice:
    """Return what makes `name` in numbered cells, in order. A cell that is not Python is left out.

    known: the lab's setup, which runs before: statements that stand in it are left out.
    """
    given = {ast.dump(one) for one in tree.body} if (tree := _parsed(known)) else set()
    statements = [one for number, source in sources for one in _statements(number, source)
                  if ast.dump(one.tree) not in given]
    _follow_helpers(statements)
    kept = _kept(statements, name)
    texts = {number: prepared(source).split("\n") for number, source in sources}
    lines, origins, seen = list[str](), list[tuple[int, int]](), set[tuple[int, int]]()
    for one in kept:
        for line in one.lines:
            if (one.cell, line) not in seen:
                seen.add((one.cell, line))
                lines.append(texts[one.cell][line - 1])
                origins.append((one.cell, line))
    return Slice("\n".join(lines) + "\n" if lines else "", tuple(origins))


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _statements(number: int, source: str) -> Iterator[Statement]:
    tree = _parsed(prepared(source))
    for node in tree.body if tree else ():
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        one = Statement(number, range(first, (node.end_lineno or first) + 1), node, frozenset(_binds(node)))
        _look(node, one, inside=False)
        yield one


def _binds(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement binds anew whenever it runs."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) and (
        node.value) else []
    for target in targets:
        yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))


def _look(node: ast.AST, found: Statement, inside: bool) -> None:
    """Note what is used at once and what inside functions, and what may be changed."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load):
            (found.later if inside else found.now).add(node.id)
        if isinstance(node.ctx, (ast.Store, ast.Del)) and not inside:
            found.changes.add(node.id)
    if isinstance(node, ast.Global):
        found.changes.update(node.names)
    if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
        found.changes.update(_root(node))
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            found.changes.update(_root(node.func))
        if isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr") and node.args:
            found.changes.update(_root(node.args[0]))
    if isinstance(node, FUNCTIONS):
        _look_inside(node, found, inside)
        return
    for child in ast.iter_child_nodes(node):
        _look(child, found, inside)


def _look_inside(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, found: Statement, inside: bool) -> None:
    """Look at a function: its decorators and defaults at once, its body later and without its own names."""
    body = Statement(found.cell, found.lines, found.tree)
    own = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
    for child in node.body if isinstance(node.body, list) else [node.body]:
        _look(child, body, inside=True)
        inner = list(ast.walk(child))
        shared = {name for one in inner if isinstance(one, (ast.Global, ast.Nonlocal)) for name in one.names}
        own |= {one.id for one in inner if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)} - shared
    found.later |= body.later - own
    found.changes |= body.changes - own
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) and name != "body" else [value]:
            if isinstance(child, ast.AST) and name != "body":
                _look(child, found, inside)


def _root(node: ast.AST) -> set[str]:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _follow_helpers(statements: list[Statement]) -> None:
    """A call of a helper, or a decorator, changes what the helper's body changes; its definition alone does not."""
    bodies: dict[str, tuple[set[str], set[str]]] = {}
    for one in statements:
        if isinstance(one.tree, (ast.FunctionDef, ast.AsyncFunctionDef)):
            bodies[one.tree.name] = (one.changes - {one.tree.name}, one.later)
            one.changes = set()
    for one in statements:
        called, done = one.now & bodies.keys(), set[str]()
        while called - done:
            helper = (called - done).pop()
            done.add(helper)
            changes, uses = bodies[helper]
            one.changes |= changes
            called |= uses & bodies.keys()


def _kept(statements: list[Statement], name: str) -> list[Statement]:
    """Return the statements that make a name, and those that make what these use."""
    kept, seen = set[int](), set[tuple[str, int]]()
    wanted = [(name, len(statements))]
    while wanted:
        name, end = wanted.pop()
        if (name, end) in seen:
            continue
        seen.add((name, end))
        for place in range(end - 1, -1, -1):
            one = statements[place]
            if name not in one.binds and name not in one.changes:
                continue
            if place not in kept:
                kept.add(place)
                wanted += [(used, place) for used in one.now | one.later]
                wanted += [(used, len(statements)) for used in one.later]
            if name in one.binds:
                break
    kept |= {place for place, one in enumerate(statements) if _always(one.tree)}
    return [statements[place] for place in sorted(kept, key=lambda place: (not _future(statements[place].tree), place))]


def _future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _always(node: ast.stmt) -> bool:
    """True for imports whose names are not written out, and for those that change how the rest is read."""
    return _future(node) or (isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names))
