"""Keys with a learner's `__hash__` and `__eq__`: a dictionary or set runs them inside, in the middle of its own step.

Nobody can be let in there. That does no harm where such a method does nothing but look at fields that nobody changes
any more once others can reach them; any other one qualifies the proof.
"""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access import places, watched
from sharedstate.interleave.access.followed import generated
from sharedstate.interleave.access.places import ENTERED, EQUALITY
from sharedstate.interleave.access.registry import ATOMIC, lookup
from sharedstate.interleave.rewrite.twin import Program
from sharedstate.interleave.runs.protocol import Run
from sharedstate.interleave.sim_thread import SimThread
from sharedstate.interleave.source.lookup import find

SAFE = frozenset({
    "hash", "isinstance", "type", "tuple", "len", "str", "int", "float", "frozenset", "id", "abs", "repr", "bool",
    "NotImplemented",
})  # fmt: skip
NODES = (
    ast.Return, ast.Expr, ast.If, ast.IfExp, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.Constant,
    ast.Name, ast.Attribute, ast.Call, ast.expr_context, ast.boolop, ast.cmpop, ast.unaryop, ast.operator,
)  # fmt: skip
METHODS = frozenset({"__hash__", "__eq__", "__lt__", "__le__", "__gt__", "__ge__"})


def step(run: Run, thread: SimThread, key: Any, action: Callable[[], Any]) -> Any:
    """Do something to a dictionary or set with a key; a learner's code that it enters is noticed."""
    if type(key) in ATOMIC or places.specials((key,), EQUALITY) is None:
        return action()
    return watched.action(run, thread, action, "a dictionary or set")()


def looks_only(program: Program, function: Any) -> bool:
    """True for a `__hash__` or `__eq__` that looks at fields and does nothing else; those of Python's own do."""
    if type(function) is not types.FunctionType:
        return True
    return generated(function) or fields(program, function.__code__) is not None


def fields(program: Program, code: types.CodeType) -> frozenset[str] | None:
    """The fields that a method looks at, if it does nothing else; None if it may do more."""
    if code not in program.accessors:
        program.accessors[code] = _fields(program, code)
    return program.accessors[code]


def _fields(program: Program, code: types.CodeType) -> frozenset[str] | None:
    if code.co_name not in METHODS:
        return None
    found = find(code, program.trees)
    if found is None or not isinstance(found.node, ast.FunctionDef):
        return None
    names = {argument.arg for argument in found.node.args.args}
    seen = set()
    for node in (sub for statement in found.node.body for sub in ast.walk(statement)):
        if not isinstance(node, NODES):
            return None
        if isinstance(node, ast.Attribute):
            if not isinstance(node.value, ast.Name) or node.value.id not in names:
                return None
            seen.add(node.attr)
        elif isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in SAFE):
            return None
    return frozenset(seen)


def note(run: Run, thread: SimThread, frame: types.FrameType) -> bool:
    """True for a method that a dictionary has entered and that does nothing but look at fields: they are noted.

    The names that it uses besides must be classes and builtins; the values of the fields must be plain.
    """
    code = frame.f_code
    read = fields(run.program, code)
    if read is None or code.co_freevars:
        return False
    for name in code.co_names:
        value = frame.f_globals.get(name, getattr(builtins, name, None))
        if name not in read and not isinstance(value, type) and name not in SAFE:
            return False
    for name in code.co_varnames[: code.co_argcount]:
        thing = frame.f_locals.get(name)
        for attribute in read if type(thing) not in ATOMIC else ():
            found = lookup(type(thing), attribute)
            if attribute != "__class__" and found is not None and not isinstance(found, types.MemberDescriptorType):
                return False
            value = getattr(thing, attribute, None)
            if type(value) not in ATOMIC and places.specials((value,), ENTERED) is not None:
                return False
            known = run.names.get(id(thing))
            if known is not None:
                run.program.fragile[known, attribute] = code.co_qualname
                run.log.append((thread.index, (known, attribute), places.READ))
    return True


def judge(run: Run) -> None:
    """At the end of a run: a field that a dictionary looked at in the middle of a step, and that somebody changed."""
    fragile = run.program.fragile
    for _, key, mode in run.log:
        if mode and key in fragile:
            run.program.block(f"{fragile[key]} in a key", "a dictionary or set calls it inside")
