"""The instructions of a learner's function: which one makes an access, and which lie between two of them."""

from __future__ import annotations

import builtins
import dis
import types
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType

Span = tuple[int, int, int, int]

FAMILIES = MappingProxyType({
    "read": ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"),
    "write": ("STORE_ATTR",),
    "delete": ("DELETE_ATTR",),
    "get_item": ("BINARY_SUBSCR", "BINARY_SLICE", "BINARY_OP"),
    "set_item": ("STORE_SUBSCR", "STORE_SLICE"),
    "del_item": ("DELETE_SUBSCR",),
    "contains": ("CONTAINS_OP",),
    "combine": ("BINARY_OP",),
    "next": ("FOR_ITER",),
    "global_read": ("LOAD_GLOBAL", "LOAD_NAME"),
    "global_write": ("STORE_GLOBAL", "STORE_NAME"),
    "cell_read": ("LOAD_DEREF",),
    "cell_write": ("STORE_DEREF",),
    "enter": ("BEFORE_WITH", "CALL"),
    "exit": ("CALL",),
    "call": ("CALL", "CALL_KW", "CALL_FUNCTION_EX"),
})  # fmt: skip
NAMED = frozenset({"read", "write", "delete", "global_read", "global_write", "cell_read", "cell_write"})
ENDS = ("RETURN_VALUE", "RETURN_CONST", "RETURN_GENERATOR", "RAISE_VARARGS", "RERAISE")
GOING_ON = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE")
VARIABLES = ("LOAD_FAST", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_GLOBAL", "LOAD_NAME")
# Probed with a signal handler on 3.11 to 3.13: after these calls the interpreter does not look for others.
SILENT = frozenset({len, type})


@dataclass(frozen=True)
class Listing:
    """One function's instructions with the ways between them."""

    code: types.CodeType
    instructions: tuple[dis.Instruction, ...]
    after: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, code: types.CodeType) -> Listing:
        """Read the bytecode of the running interpreter. Ways through exception handlers are left out."""
        found = tuple(dis.get_instructions(code))
        places = {i.offset: k for k, i in enumerate(found)}
        return cls(code, found, tuple(_after(i, k, len(found), places) for k, i in enumerate(found)))

    def find(self, op: str, name: str, span: Span) -> list[int]:
        """The instructions that make an access of this kind at this place; several where code is doubled."""
        family = FAMILIES.get("call" if op == "method" else op, ())
        wanted = [
            k
            for k, i in enumerate(self.instructions)
            if i.opname in family and (op not in NAMED or i.argval == name)
        ]
        exact = [k for k in wanted if span_of(self.instructions[k]) == span]
        if op == "enter" and not exact:  # before 3.13 its place is the whole statement
            exact = [k for k in wanted if span_of(self.instructions[k - 1]) == span]
        if exact:
            return exact
        inside = [k for k in wanted if within(span_of(self.instructions[k]), span)]
        return inside if len(inside) == 1 else [] if op == "call" else self.find("call", "", span)

    def following(self, span: Span) -> list[int]:
        """The instructions at this exact place that may run a learner's function: the last of a kind."""
        opnames = {name for family in FAMILIES.values() for name in family}
        exact = [k for k, i in enumerate(self.instructions) if i.opname in opnames and span_of(i) == span]
        return exact[-1:]

    def ends(self) -> list[int]:
        """Where the function is left."""
        return [k for k, i in enumerate(self.instructions) if i.opname in ENDS[:2]]

    def between(self, first: int, last: Iterable[int]) -> set[int] | None:
        """All instructions on a way from `first` to one of `last`, without both; None if there is no way."""
        goals = set(last)
        ahead, reached = self._spread(self.after[first], self.after, goals)
        if not reached:
            return None
        before: list[list[int]] = [[] for _ in self.instructions]
        for k, following in enumerate(self.after):
            for other in following:
                before[other].append(k)
        behind, _ = self._spread([k for goal in reached for k in before[goal]], before, {first})
        return ahead & behind

    @staticmethod
    def _spread(start: Iterable[int], ways: object, goals: set[int]) -> tuple[set[int], set[int]]:
        """Everything that can be reached without passing a goal, and the goals that were met."""
        seen, met, todo = set(), set(), list(start)
        while todo:
            k = todo.pop()
            if k in goals:
                met.add(k)
            elif k not in seen:
                seen.add(k)
                todo += ways[k]  # type: ignore[index]
        return seen, met

    def is_silent_call(self, k: int, scope: dict) -> bool:
        """True for a call of len() or type(): the interpreter runs them without looking for other threads."""
        call = self.instructions[k]
        if call.opname != "CALL" or call.arg != 1:
            return False
        start = span_of(call)[:1] + span_of(call)[2:3]
        for i in self.instructions[:k]:
            if i.opname in ("LOAD_GLOBAL", "LOAD_NAME") and span_of(i)[:1] + span_of(i)[2:3] == start:
                name = i.argval
                called = scope.get(name, getattr(builtins, name, None))
                return called in SILENT if isinstance(called, (type, types.BuiltinFunctionType)) else False
        return False

    def operands(self, k: int) -> set[str]:
        """The variables that an operator takes as they are, not by an attribute, item or call of theirs."""
        whole = span_of(self.instructions[k])
        inner = [i for i in self.instructions if within(span_of(i), whole)]
        larger = [span_of(i) for i in inner if not i.opname.startswith(VARIABLES) and span_of(i) != whole]
        names: set[str] = set()
        for i in inner:
            if i.opname.startswith(VARIABLES) and not any(within(span_of(i), one) for one in larger):
                names |= set(i.argval) if isinstance(i.argval, tuple) else {i.argval}
        return names


def _after(i: dis.Instruction, k: int, count: int, places: dict[int, int]) -> tuple[int, ...]:
    """The instructions that may come next."""
    jumps = i.opcode in dis.hasjrel or i.opcode in dis.hasjabs
    target = (places[i.argval],) if jumps and i.argval in places else ()
    stays = i.opname not in ENDS and i.opname not in GOING_ON and k + 1 < count
    return (*target, k + 1) if stays else target


def span_of(i: dis.Instruction) -> Span:
    """First line, last line, first column, last column of an instruction's source; zeros where unknown."""
    where = i.positions
    if where is None or where.lineno is None or where.col_offset is None:
        return (0, 0, 0, 0)
    return (where.lineno, where.end_lineno or 0, where.col_offset, where.end_col_offset or 0)


def within(inner: Span, outer: Span) -> bool:
    """True if one place in the source lies inside another one."""
    starts = (outer[0], outer[2]) <= (inner[0], inner[2])
    return inner[0] > 0 and starts and (inner[1], inner[3]) <= (outer[1], outer[3])
