"""What a cell may hold that is judged from its source: definitions, nothing that reaches behind the check."""

from __future__ import annotations

import ast

from .types import AnswerProblem, Exercise

FORBIDDEN_NAMES = frozenset((
    "eval", "exec", "compile", "open", "globals", "locals", "vars", "getattr", "setattr", "delattr",
    "breakpoint", "input", "get_ipython", "sharedstate", "__import__", "__builtins__", "__loader__",
    "__spec__",
))
ALLOWED_DUNDERS = frozenset(("__init__", "__enter__", "__exit__", "__call__", "__name__", "__class__"))
FRAMES = frozenset((
    "gi_frame", "cr_frame", "ag_frame", "tb_frame", "f_back", "f_globals", "f_locals", "f_builtins",
    "modules", "_os", "_sys", "sys", "os",
))
TOP_LEVEL = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign,
    ast.AnnAssign,
)


def require_allowed(exercise: Exercise, source: str) -> None:
    """Raise AnswerProblem: "not-allowed" names the line and the word, "syntax" is for what is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise AnswerProblem("syntax", f"The cell is no valid Python: {problem}.") from None
    for node in tree.body:
        if not isinstance(node, TOP_LEVEL) and not _is_text(node):
            raise _refusal(node, "a statement that is no definition, import or assignment")
    for node in ast.walk(tree):
        word = _forbidden(node, exercise.imports)
        if word:
            raise _refusal(node, f"`{word}`")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _forbidden(node: ast.AST, imports: tuple[str, ...]) -> str | None:
    """Return the word of a node that may not stand in the cell."""
    if isinstance(node, ast.Import):
        return next((a.name for a in node.names if a.name not in imports), None)
    if isinstance(node, ast.ImportFrom):
        inner = next((a.name for a in node.names if a.name in FRAMES or a.name == "*"), None)
        return inner if node.module in (*imports, "__future__") else node.module or "."
    if isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
        return node.id
    if isinstance(node, ast.Attribute) and (node.attr in FRAMES or _hidden(node.attr)):
        return node.attr
    return None


def _hidden(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in ALLOWED_DUNDERS


def _refusal(node: ast.AST, what: str) -> AnswerProblem:
    said = f"Line {node.lineno} of the cell holds {what}. It is judged alone and may not: leave that out."
    return AnswerProblem("not-allowed", said)
