"""Questions that remember: `never` and `observe` may be asked once for each end only if they answer from it alone."""

from __future__ import annotations

import builtins
import dis
import enum
import functools
import itertools
import operator
import types
from typing import Any

from sharedstate.interleave.execution import Questions
from sharedstate.interleave.state import ATOMIC, CONTAINERS, LOCK, MAPPINGS, RLOCK, children, digest, is_user_class
from sharedstate.interleave.unseen import REPEATABLE, VALUES

TELLING = frozenset(dis.opmap[name] for name in ("LOAD_GLOBAL", "STORE_GLOBAL", "IS_OP"))
MODULES = frozenset({
    "math", "operator", "itertools", "functools", "re", "json", "string", "collections", "copy", "types", "typing",
    "threading", "dataclasses", "enum", "fractions", "decimal", "statistics", "builtins",
})  # fmt: skip
CALLS = REPEATABLE | {vars, getattr, hasattr, iter, next, map, filter, dir, super, property}
GETTERS = (operator.attrgetter, operator.itemgetter, operator.methodcaller)
KNOWN = (*CONTAINERS, *MAPPINGS, tuple, LOCK, RLOCK)
CALLABLE = (types.MethodType, types.BuiltinFunctionType)
MOST = 100  # objects that are looked at before and after each question


class Memory:
    """What the questions have at hand besides what they are given. `pure` is false where that cannot be watched."""

    def __init__(self, questions: Questions) -> None:
        self.names: list[tuple[dict, str]] = []
        self.cells: list[types.CellType] = []
        self.things: list[Any] = []
        self.pure = True
        self._left = MOST
        self._known: dict[int, Any] = {}
        for question in (questions.never, questions.observe):
            self._keep(question)

    def picture(self) -> list:
        """All of it now, to compare: empty if there is nothing."""
        found = [known.get(name) for known, name in self.names]
        found += map(contents, self.cells)
        return [thing if type(thing) in ATOMIC else digest(thing) for thing in (*found, *self.things)]

    def _note(self, thing: Any) -> None:
        """Look at one object and at what it holds."""
        kind = type(thing)
        if isinstance(thing, enum.Enum) or id(thing) in self._known or not self.pure:
            return
        if kind in ATOMIC and not isinstance(thing, (type, types.ModuleType)) and kind not in CALLABLE:
            return
        self._known[id(thing)] = thing
        self._left -= 1
        if kind is types.FunctionType:
            self._function(thing)
        elif kind is types.MethodType:
            self._note(thing.__func__)
            self._keep(thing.__self__)
        elif isinstance(thing, types.ModuleType):
            self.pure = thing.__name__ in MODULES
        elif kind is types.BuiltinFunctionType:
            self.pure = thing in CALLS
        elif isinstance(thing, type):
            self._class(thing)
        elif kind is functools.partial:
            for part in (thing.func, thing.args, thing.keywords):
                self._keep(part)
        else:
            self._object(thing)
        self.pure = self.pure and self._left > 0

    def _keep(self, thing: Any) -> None:
        """Look at an object, and watch it."""
        self._note(thing)
        if type(thing) not in ATOMIC and type(thing) is not types.FunctionType:
            self.things.append(thing)

    def _function(self, function: types.FunctionType) -> None:
        """What it captures, its defaults and fields, and the globals and builtins that it names."""
        loaded, compared = named(function.__code__)
        scope = function.__globals__
        if any(type(scope.get(name, vars(builtins).get(name, 0))) in VALUES for name in compared):
            self.pure = False
        for cell in function.__closure__ or ():
            self.cells.append(cell)
            self._note(contents(cell))
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self._keep(value)
        if function.__dict__:
            self._keep(function.__dict__)
        for name in loaded:
            if name in scope:
                value = scope[name]
                if not isinstance(value, (types.FunctionType, type, types.ModuleType)):
                    self.names.append((scope, name))
                self._note(value)
            else:
                self._note(getattr(builtins, name, None))

    def _class(self, cls: type) -> None:
        """The data of a learner's class."""
        if is_user_class(cls):
            for name, value in vars(cls).items():
                if not name.startswith("__") and not callable(value) and not hasattr(value, "__get__"):
                    self.names.append((vars(cls), name))  # type: ignore[arg-type]
                    self._note(value)

    def _object(self, thing: Any) -> None:
        """A container or a learner's object; of others it is not known what changes in them."""
        kind = type(thing)
        if kind in GETTERS:
            return
        if hasattr(kind, "__next__") or not (kind in KNOWN or is_user_class(kind)):
            self.pure = False
            return
        for value, _ in itertools.islice(children(thing, ""), MOST + 1):
            self._note(value)
        if is_user_class(kind):
            self._note(kind)
            for name in ("__call__", "__eq__"):
                self._note(vars(kind).get(name))


def contents(cell: types.CellType) -> Any:
    """What is captured; None if that is nothing yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def named(code: types.CodeType) -> tuple[set[str], set[str]]:
    """The globals and builtins that code names; and those that it compares with by `is`.

    An empty name stands for anything else that it compares so: of equal values it may say anything.
    """
    names, compared = set(), set()
    if not TELLING.isdisjoint(code.co_code[::2]):
        last = None
        for step in dis.get_instructions(code):
            if step.opcode in TELLING and step.opname != "IS_OP":
                names.add(step.argval)
            elif step.opname == "IS_OP" and last is not None and last.opname != "LOAD_CONST":
                compared.add(last.argval if last.opname == "LOAD_GLOBAL" else "")
            last = step
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            more, also = named(inner)
            names, compared = names | more, compared | also
    return names, compared
