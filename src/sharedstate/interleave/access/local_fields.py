"""A class that derives from threading.local: each thread's first use of an object runs its `__init__`."""

from __future__ import annotations

import ast
import gc
import types
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access.registry import lookup
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.source.lookup import find

MAKING = frozenset({"list", "dict", "set", "object", "int", "float", "str", "bytearray", "deque"})
NODES = (
    ast.Assign, ast.AnnAssign, ast.Pass, ast.Expr, ast.Constant, ast.Name, ast.Attribute, ast.List, ast.Dict, ast.Set,
    ast.Tuple, ast.Call, ast.expr_context, ast.UnaryOp, ast.unaryop,
)  # fmt: skip


def first_use(run: Run, thread: SimThread, thing: Any, action: Callable[[], Any]) -> Callable[[], Any]:
    """An access to the thread's own copy, after the `__init__` that Python runs for a thread that has none yet.

    It is part of the access; unless it sets fields and nothing else, a proof is one only if that does no harm.
    """
    cls = type(thing)
    init = lookup(cls, "__init__")
    if type(init) is not types.FunctionType:
        return action
    if not _sets_fields(run.program, init):
        run.program.block(f"{cls.__qualname__}.__init__", "it runs inside each thread's first use of the object")
    held = gc.get_referents(thing)
    given = next((value for value in held if type(value) is tuple), ())
    named = next((value for value in held if type(value) is dict and value and all(map(_is_text, value))), {})

    def begin() -> Any:
        init(thing, *given, **named)
        return action()

    return begin


def _is_text(key: object) -> bool:
    return type(key) is str


def _sets_fields(program: Any, init: types.FunctionType) -> bool:
    """True for an `__init__` that puts new things and what it was given into fields of its own."""
    found = find(init.__code__, program.trees)
    if found is None or not isinstance(found.node, ast.FunctionDef) or not found.node.args.args:
        return False
    me, *others = (argument.arg for argument in found.node.args.args)
    for node in (sub for statement in found.node.body for sub in ast.walk(statement)):
        if not isinstance(node, NODES):
            return False
        if isinstance(node, ast.Attribute):
            mine = isinstance(node.value, ast.Name) and node.value.id == me
            if not mine or not isinstance(node.ctx, ast.Store):
                return False
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in MAKING):
            return False
        if isinstance(node, ast.Name) and node.id not in (me, *others) and node.id not in MAKING:
            return False
    return True
