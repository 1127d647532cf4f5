"""Find the source of a function: its syntax tree, its lines, and how to name the place."""

from __future__ import annotations

import ast
import linecache
import os
import re
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

PARSE_TRIES = 20
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
LIBRARIES = tuple(
    os.path.realpath(path) + os.sep
    for key in ("stdlib", "platstdlib", "purelib", "platlib")
    if (path := sysconfig.get_paths().get(key))
)
OWN = os.path.dirname(os.path.dirname(os.path.realpath(__file__))) + os.sep
PACKAGE = os.path.dirname(os.path.dirname(OWN)) + os.sep


@dataclass(frozen=True)
class Found:
    """The syntax tree of one function and what surrounds it.

    `owner` is the name of the class around it (for name mangling) or None; `nonlocals` are all names
    that any function of the file declares nonlocal.
    """

    node: Function
    owner: str | None
    nonlocals: frozenset[str]
    lines: tuple[str, ...]
    label: str

    def line(self, number: int) -> str:
        """The stripped source line with this number, or an empty string."""
        return self.lines[number - 1].strip() if 0 < number <= len(self.lines) else ""


def is_own(path: str) -> bool:
    """True for the explorer's own files."""
    return path.startswith(OWN)


def is_user_file(name: str) -> bool:
    """True for a learner's file; False for the standard library, installed packages and the explorer."""
    path = os.path.realpath(name)
    return not is_own(path) and (not path.startswith(LIBRARIES) or path.startswith(PACKAGE))


FOLLOWED = ("contextlib", "collections", "functools", "copy", "weakref", "_weakrefset", "fractions", "statistics",
            "random", "_collections_abc", "bisect", "heapq", "types", "operator")  # fmt: skip
# Of these modules some functions alone: the rest looks at frames and files.
FOLLOWED_FUNCTIONS = frozenset({
    "traceback.clear_frames", "re.sub", "dataclasses.asdict", "dataclasses._asdict_inner", "dataclasses.astuple",
    "dataclasses._astuple_inner",
})  # fmt: skip
LOOKUP = "singledispatch.<locals>.dispatch"  # which function serves a class: it keeps the answer, from run to run
FOLLOWED_FILES = ("unittest/case.py", "torch/nn/modules/", "torch/nn/parameter.py")
BUILTINS = tuple(OWN + os.path.join("access", f"python_{what}.py") for what in ("builtins", "text"))


def is_followed_library(code: types.CodeType, packages: tuple[str, ...] = ()) -> bool:
    """True for the explorer's own builtins in Python, for what is followed of the standard library, and for the
    `packages` that a scenario asks for."""
    path = os.path.realpath(code.co_filename)
    if path in BUILTINS:
        return True
    if code.co_qualname == LOOKUP:
        return False
    for folder in LIBRARIES:
        if path.startswith(folder):
            inside = path[len(folder) :].removeprefix("site-packages" + os.sep)
            top = inside.split(os.sep)[0].removesuffix(".py")
            if top in packages or top.replace("_", "-") in packages:
                return True
            if "site-packages" not in path and (top in FOLLOWED or f"{top}.{code.co_name}" in FOLLOWED_FUNCTIONS):
                return True
            return inside.replace(os.sep, "/").startswith(FOLLOWED_FILES)
    return False


def is_user_code(code: types.CodeType) -> bool:
    """True for a notebook cell or a learner's file; False for the standard library and installed packages."""
    name = code.co_filename
    if name.startswith("<frozen") or not (name.startswith("<") or is_user_file(name)):
        return False
    return bool(linecache.getlines(name))


def is_user_module(module: types.ModuleType) -> bool:
    """True for a module that was read from a learner's file."""
    name = getattr(module, "__file__", None)
    return name is not None and is_user_file(name)


def cell_label(filename: str) -> str:
    """ "Cell [3]" for a notebook cell, the file's own name elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    numbers = getattr(getattr(shell, "compile", None), "_filename_map", {})
    number = numbers.get(filename)
    if number is None and (match := re.match(r"<ipython-input-(\d+)-", filename)):
        number = match.group(1)
    return f"Cell [{number}]" if number is not None else os.path.basename(filename)


def parse(text: str) -> ast.Module:
    """Parse source, again if two threads at once have upset CPython 3.11's one count of the depth for all of them.

    Raises SyntaxError or ValueError.
    """
    for _ in range(PARSE_TRIES):
        try:
            return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)


def find(code: types.CodeType, trees: dict[str, ast.Module]) -> Found | None:
    """The source of the function that was compiled to `code`, or None where there is none.

    `trees` holds the trees of whole files by their text: each is read once, and nobody may change it.
    """
    lines = tuple(linecache.getlines(code.co_filename))
    text = "".join(lines)
    try:
        tree = trees.get(text) or parse(text)
    except (SyntaxError, ValueError):
        return None
    trees[text] = tree
    candidates = [(node, owner) for node, owner in _functions(tree, None) if _starts(node, code)]
    if code.co_name == "<lambda>" and len(candidates) > 1:
        candidates = _closest(candidates, code)
    if not candidates or not lines:
        return None
    node, owner = candidates[0]
    names = frozenset(n for sub in ast.walk(tree) if isinstance(sub, ast.Nonlocal) for n in sub.names)
    return Found(node, owner, names, lines, cell_label(code.co_filename))


def _functions(tree: ast.AST, owner: str | None) -> Iterator[tuple[Function, str | None]]:
    """Every function and lambda below `tree`, with the class whose name mangles its attributes."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, Function):
            yield child, owner
        inner = child.name if isinstance(child, ast.ClassDef) else owner
        yield from _functions(child, inner)


def _starts(node: Function, code: types.CodeType) -> bool:
    """True if a function with this name and these arguments starts on the line that `code` starts on."""
    name = getattr(node, "name", "<lambda>")
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    if name != code.co_name or first != code.co_firstlineno:
        return False
    arguments = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    count = code.co_argcount + code.co_kwonlyargcount
    return _plain(arguments) == _plain(code.co_varnames[:count])


def _plain(names: Iterable[str]) -> list[str]:
    """Argument names without the mangling of a class."""
    return [re.sub(r"^_\w*?(__\w)", r"\1", name) for name in names]


def _closest(candidates: list[tuple[Any, str | None]], code: types.CodeType) -> list:
    """The lambda whose body holds every instruction of `code`; the smallest if several do."""
    spots = [
        (line, column)
        for line, _, column, end in code.co_positions()
        if line is not None and column is not None and (column, end) != (0, 0)
    ]

    def holds(node: ast.Lambda) -> bool:
        begin = (node.body.lineno, node.body.col_offset)
        end = (node.body.end_lineno, node.body.end_col_offset)
        return all(begin <= spot <= end for spot in spots)

    def size(pair: tuple[Any, str | None]) -> int:
        body = pair[0].body
        return (body.end_lineno - body.lineno) * 10_000 + body.end_col_offset - body.col_offset

    inside = [pair for pair in candidates if holds(pair[0])]
    return sorted(inside or candidates, key=size)
