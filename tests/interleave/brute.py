"""An independent brute force: every interleaving of small abstract programs, without the explorer's code.

A program is a list of instructions: ("write", field, value), ("read", field, register),
("add", field, register, value) which writes register + value, ("lock", name, [body]),
("if", register, value, [then], [otherwise]). Each access is one step; a lock is two (take, give).
"""

from __future__ import annotations

import linecache
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

FIELDS = ("x", "y", "z")
LOCKS = ("LOCK_A", "LOCK_B")


@dataclass
class Seen:
    """Per number of preemptions: how many interleavings, and which outcomes."""

    count: dict[int, int] = field(default_factory=dict)
    outcomes: dict[int, set] = field(default_factory=dict)

    def add(self, preemptions: int, outcome: tuple) -> None:
        self.count[preemptions] = self.count.get(preemptions, 0) + 1
        self.outcomes.setdefault(preemptions, set()).add(outcome)

    def within(self, bound: int | None = None) -> tuple[int, set]:
        """Interleavings and outcomes with at most `bound` preemptions (all if None)."""
        levels = [k for k in self.count if bound is None or k <= bound]
        return sum(self.count[k] for k in levels), set().union(*(self.outcomes[k] for k in levels))

    def fewest(self, outcome: tuple) -> int:
        """The smallest number of preemptions that leads to an outcome."""
        return min(k for k, seen in self.outcomes.items() if outcome in seen)


def ready(code: tuple, registers: dict) -> tuple:
    """Resolve conditionals at the front of a thread's code: they are no steps."""
    while code and code[0][0] == "if":
        _, register, value, then, otherwise = code[0]
        code = tuple(then if registers.get(register, 0) == value else otherwise) + code[1:]
    return code


def can_move(code: tuple, locks: dict) -> bool:
    """True if the thread's next access is possible."""
    return bool(code) and not (code[0][0] == "lock" and code[0][1] in locks)


def move(me: int, code: tuple, registers: dict, state: dict, locks: dict) -> tuple:
    """One access; everything is copied."""
    kind, name, *rest = code[0]
    registers, state, locks, after = dict(registers), dict(state), dict(locks), code[1:]
    if kind == "write":
        state[name] = rest[0]
    elif kind == "read":
        registers[rest[0]] = state[name]
    elif kind == "add":
        state[name] = registers.get(rest[0], 0) + rest[1]
    elif kind == "lock":
        locks[name] = me
        after = (*rest[0], ("unlock", name), *after)
    else:
        del locks[name]
    return ready(after, registers), registers, state, locks


def brute(programs: list[list], start: dict | None = None) -> Seen:
    """Every interleaving; an outcome is (registers of each thread, fields) or ("deadlock",)."""
    seen = Seen()
    state = dict.fromkeys(FIELDS, 0) | (start or {})
    codes = [ready(tuple(p), {}) for p in programs]

    def walk(codes: list, registers: list, state: dict, locks: dict, last: int, preemptions: int) -> None:
        movable = [i for i, code in enumerate(codes) if can_move(code, locks)]
        if not movable:
            ended = not any(codes)
            values = tuple(tuple(sorted(r.items())) for r in registers)
            seen.add(preemptions, (values, tuple(state[f] for f in FIELDS)) if ended else ("deadlock",))
            return
        for i in movable:
            cost = preemptions + (last in movable and i != last)
            code, mine, new_state, new_locks = move(i, codes[i], registers[i], state, locks)
            others = [*codes[:i], code, *codes[i + 1 :]]
            walk(others, [*registers[:i], mine, *registers[i + 1 :]], new_state, new_locks, i, cost)

    walk(codes, [{} for _ in programs], state, {}, -1, 0)
    return seen


# -- the same program as Python source ---------------------------------------------------------------


class State:
    """The shared fields."""

    def __init__(self, **start: int) -> None:
        self.x = self.y = self.z = 0
        self.__dict__.update(start)


def lines(program: list, depth: int) -> list[str]:
    """Python statements for a program."""
    pad, result = "    " * depth, []
    for kind, name, *rest in program:
        if kind == "write":
            result.append(f"{pad}s.{name} = {rest[0]}")
        elif kind == "read":
            result.append(f"{pad}r[{rest[0]!r}] = s.{name}")
        elif kind == "add":
            result.append(f"{pad}s.{name} = r.get({rest[0]!r}, 0) + {rest[1]}")
        elif kind == "lock":
            result += [f"{pad}with {name}:", *lines(rest[0], depth + 1), f"{pad}    pass"]
        else:
            result += [f"{pad}if r.get({name!r}, 0) == {rest[0]}:", *lines(rest[1], depth + 1), f"{pad}    pass"]
            result += [f"{pad}else:", *lines(rest[2], depth + 1), f"{pad}    pass"]
    return result


def functions(programs: list[list], filename: str) -> list[Callable[[State], tuple]]:
    """The programs as functions of the state, whose source can be found."""
    text = []
    for number, program in enumerate(programs):
        text += [f"def thread{number}(s):", "    r = {}", *lines(program, 1), "    return tuple(sorted(r.items()))"]
    source = "\n".join(text) + "\n"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    scope: dict = {name: threading.Lock() for name in LOCKS}
    exec(compile(source, filename, "exec"), scope)
    return [scope[f"thread{number}"] for number in range(len(programs))]
