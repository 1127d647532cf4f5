"""An audit table: the writable state of a module, who writes it, and under which lock.

It is read off the source, and so it sees what is assigned, changed by an item or by a known method. What a function
reaches through another name it does not see: a row that is missing proves nothing.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

CHANGES = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "add", "discard", "update", "setdefault", "popitem",
     "sort")
)
MOST = 4
FIXED = (ast.Constant, ast.Tuple, ast.Lambda, ast.JoinedStr)


@dataclass(frozen=True)
class Row:
    """One name of a module: what kind of value it holds, who writes it, and what all of these writes hold.

    lock: "none" where a function writes without one, "import only" where no function writes.
    """

    name: str
    kind: str
    writers: tuple[str, ...]
    lock: str


def audit(module: ModuleType) -> tuple[Row, ...]:
    """Return a row for each name of the module that a function rebinds or changes, or that holds something mutable.

    Raises OSError for a module without Python source.
    """
    tree = ast.parse(inspect.getsource(module))
    names = {name: value for name, value in _assigned(tree) if not isinstance(value, FIXED)}
    found: dict[str, list[tuple[str, bool]]] = {name: [] for name in names}
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for name, locked in _writes(function, _takes_by_hand(function), _globals(function)):
                found.setdefault(name, []).append((function.name, locked))
    for name, value in names.items():  # random.seed is a method of an object that the module keeps
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id in names:
            found[value.value.id].append((name, False))
    values = vars(module)
    rows = [_row(name, values[name], writes) for name, writes in found.items() if name in values
            and not isinstance(values[name], ModuleType)]  # fmt: skip
    return tuple(row for row in rows if row.writers or row.kind in ("dict", "list", "set", "WeakValueDictionary"))


def _row(name: str, value: object, writes: list[tuple[str, bool]]) -> Row:
    writers = tuple(dict.fromkeys(function for function, _ in writes))
    bare = [function for function, locked in writes if not locked]
    held = "a lock, always" if not bare else "none" if len(bare) == len(writes) else "a lock, at times"
    return Row(name, type(value).__name__, writers, held if writes else "import only")


def _takes_by_hand(function: ast.AST) -> bool:
    """Say whether a function calls what takes a lock, as logging's `_acquireLock()` up to Python 3.12."""
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    return any("acquire" in ast.unparse(call.func).lower() for call in calls)


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and not target.id.startswith("__"):
                    yield target.id, node.value


def _globals(function: ast.AST) -> set[str]:
    return {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}


def _writes(node: ast.AST, locked: bool, rebinds: set[str]) -> Iterator[tuple[str, bool]]:
    """Yield (name, under a lock?) for each write below this node, nested functions left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        inside = locked or (isinstance(child, ast.With) and any("lock" in ast.unparse(i).lower() for i in child.items))
        for name in _written(child, rebinds):
            yield name, inside
        yield from _writes(child, inside, rebinds)


def _written(node: ast.AST, rebinds: set[str]) -> Iterator[str]:
    targets: list[ast.expr] = []
    if isinstance(node, (ast.Assign, ast.Delete)):
        targets = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        targets = [node.target]
    for target in targets:
        if isinstance(target, ast.Name) and target.id in rebinds:
            yield target.id
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            yield target.value.id
    method = node.func if isinstance(node, ast.Call) else None
    if isinstance(method, ast.Attribute) and isinstance(method.value, ast.Name) and method.attr in CHANGES:
        yield method.value.id


def table(rows: tuple[Row, ...]) -> str:
    """Return the rows as a text table."""
    lines = [f"{'state':19} {'kind':19} {'lock':16} written by"]
    for row in rows:
        said = ", ".join(row.writers[:MOST]) + f", … ({len(row.writers)})" * (len(row.writers) > MOST)
        lines.append(f"{row.name[:19]:19} {row.kind[:19]:19} {row.lock:16} {said or '-'}")
    return "\n".join(lines)
