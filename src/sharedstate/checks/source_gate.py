"""What a cell may hold that is judged from its source: definitions, nothing that reaches behind the check."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from .types import AnswerProblem, Exercise

FORBIDDEN_NAMES = frozenset((
    "eval", "exec", "compile", "open", "globals", "locals", "vars", "getattr", "setattr", "delattr",
    "breakpoint", "input", "get_ipython", "sharedstate", "__import__", "__builtins__", "__loader__",
    "__spec__", "attrgetter",
))
ALLOWED_DUNDERS = frozenset((
    "__init__", "__enter__", "__exit__", "__call__", "__name__", "__class__", "__new__", "__post_init__",
    "__slots__",
))
FRAMES = frozenset((
    "gi_frame", "cr_frame", "ag_frame", "tb_frame", "f_back", "f_globals", "f_locals", "f_builtins",
    "modules", "_os", "_sys", "sys", "os", "builtins", "inspect", "wraps", "update_wrapper",
))
TOP_LEVEL = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign,
    ast.AnnAssign,
)
FROM: Mapping[str, frozenset[str]] = MappingProxyType({
    "__future__": frozenset(("annotations",)), "operator": frozenset(("attrgetter", "itemgetter")),
    "typing": frozenset(("NamedTuple", "Any", "Callable", "Final", "ClassVar", "Optional", "Protocol", "Self")),
    "collections": frozenset(("defaultdict", "deque", "namedtuple", "Counter", "OrderedDict")),
    "collections.abc": frozenset(("Callable", "Iterator", "Iterable", "Sequence", "Mapping", "Hashable")),
    "functools": frozenset(("partial", "total_ordering", "cache", "lru_cache")),
})  # what may be imported from modules that may not be imported as a whole
NAMED = ("getattr", "setattr", "delattr")


def require_allowed(exercise: Exercise, source: str) -> None:
    """Raise AnswerProblem: "not-allowed" names the line and the word, "syntax" is for what is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise AnswerProblem("syntax", f"The cell is no valid Python: {problem}.") from None
    for top in tree.body:
        if not isinstance(top, TOP_LEVEL) and not _is_text(top):
            raise _refusal(top, "a statement that is no definition, import or assignment")
    plain = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and _names_a_field(node)}
    for node in ast.walk(tree):
        word = None if id(node) in plain else _forbidden(node, exercise.imports)
        if word:
            raise _refusal(node, f"`{word}`")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _names_a_field(call: ast.Call) -> bool:
    """True for getattr(x, "user") and its like: the field is written out, and is an ordinary one."""
    function, given = call.func, call.args
    if any(isinstance(one, ast.Starred) for one in given) or call.keywords:
        return False
    name = getattr(function, "id", "")
    if isinstance(function, ast.Attribute) and function.attr == "__setattr__":
        names = given[-2:-1]  # object.__setattr__(self, "name", value), super().__setattr__("name", value)
    else:
        names = given if name == "attrgetter" else given[1:2] if name in NAMED else []
    return bool(names) and all(map(_ordinary, names))


def _ordinary(node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or type(node.value) is not str:
        return False
    return not any(part in FRAMES or _hidden(part) for part in node.value.split("."))


def _forbidden(node: ast.AST, imports: tuple[str, ...]) -> str | None:
    """Return the word of a node that may not stand in the cell."""
    if isinstance(node, ast.Import):
        return next((a.name for a in node.names if a.name not in imports), None)
    if isinstance(node, ast.ImportFrom):
        return _imported(node, imports)
    if isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
        return node.id
    if isinstance(node, ast.Attribute) and (node.attr in FRAMES or _hidden(node.attr)):
        return node.attr
    return None


def _imported(node: ast.ImportFrom, imports: tuple[str, ...]) -> str | None:
    """Return what may not be imported from a module: the module, or a name that it does not call its own."""
    module = node.module or "."
    if module not in FROM and module not in imports:
        return module
    if module in imports:
        public = getattr(importlib.import_module(module), "__all__", None)
        inner = (a.name for a in node.names if a.name in FRAMES or a.name == "*" or (public and a.name not in public))
    else:
        inner = (a.name for a in node.names if a.name not in FROM[module])
    renamed = next((a.name for a in node.names if a.name in FORBIDDEN_NAMES and a.asname), None)
    return next(inner, renamed)


def _hidden(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in ALLOWED_DUNDERS


def _refusal(node: Any, what: str) -> AnswerProblem:
    said = f"Line {node.lineno} of the cell holds {what}. It is judged alone and may not: leave that out."
    return AnswerProblem("not-allowed", said)
