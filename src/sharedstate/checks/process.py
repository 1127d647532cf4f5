"""Another process, played in this one: another hash(), another number; and who touches everybody's generator."""

from __future__ import annotations

import builtins
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import CodeType, FrameType, FunctionType
from typing import Any

from .memory import namespaces

WHY_NOT = ("The check tries another hash() and another process number: hash() of a text is another one in every "
           "process, and hash() of numbers does not keep them apart: hash(-1) == hash(-2), hash(0) == hash(2**61 - 1).")


@contextmanager
def another_process(number: int, *functions: object) -> Iterator[None]:
    """Give the functions' modules the hash() of another process, and this process another number."""
    spaces = {id(space): space for function in functions for space in namespaces(function)}
    before, getpid = {key: space.get("hash") for key, space in spaces.items()}, os.getpid

    def other_hash(thing: object) -> int:
        return builtins.hash((builtins.hash(thing), number))

    for space in spaces.values():
        space["hash"] = other_hash
    os.getpid = lambda: 40_000 + number
    try:
        yield
    finally:
        os.getpid = getpid
        for key, space in spaces.items():
            if before[key] is None:
                space.pop("hash", None)
            else:
                space["hash"] = before[key]


def as_new(call: tuple) -> tuple:
    """Return whole numbers as new objects, which lie where earlier ones have died: id() says nothing of them."""
    return tuple(int(str(number)) for number in call)


def asks_for_its_hash(function: object) -> bool:
    """True for a function that calls a text's own __hash__."""
    return isinstance(function, FunctionType) and _mentions(function.__code__, "__hash__")


def _mentions(code: CodeType, name: str) -> bool:
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return name in code.co_names or any(_mentions(one, name) for one in inner)


@contextmanager
def global_state(seed: int) -> Iterator[None]:
    """Put the hidden generators of `random` and numpy into a known state, and the old one back at the end."""
    put_back, numpys = keep_hidden_state(), _numpys()
    random.seed(seed)
    if numpys:
        numpys.seed(seed)
    try:
        yield
    finally:
        put_back()


def keep_hidden_state() -> Callable[[], None]:
    """Return a function that puts everybody's generators back to where they are now, as often as wanted."""
    state, numpys = random.getstate(), _numpys()
    numpy_state = numpys.get_state() if numpys else None

    def put_back() -> None:
        random.setstate(state)
        if numpys:
            numpys.set_state(numpy_state)

    return put_back


def hidden_state() -> tuple:
    """Return the state of everybody's generators, to compare with a later one."""
    numpys = _numpys()
    return random.getstate(), repr(numpys.get_state()) if numpys else None


@contextmanager
def watched() -> Iterator[list[str]]:
    """Note every use of the module random, and every new state of numpy's, also by one who puts the old one back."""
    used: list[str] = []

    def look(frame: FrameType, event: str, arg: object) -> None:
        owner = getattr(arg, "__self__", None) if event == "c_call" else None
        if event == "call" and frame.f_code.co_filename == random.__file__:
            owner = frame.f_locals.get("self")
        if owner is random._inst:
            used.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        with _numpy_watched(used):
            yield used
    finally:
        sys.setprofile(before)


@contextmanager
def _numpy_watched(used: list[str]) -> Iterator[None]:
    """Numpy's functions are compiled and tell no profiler, so the two that set a state are exchanged for a while."""
    numpy: Any = sys.modules.get("numpy")
    known = {name: getattr(numpy.random, name) for name in ("seed", "set_state")} if numpy else {}

    def noted(name: str, *given: object, **named: object) -> object:
        used.append(name)
        return known[name](*given, **named)

    for name in known:
        setattr(numpy.random, name, partial(noted, name))
    try:
        yield
    finally:
        for name, function in known.items():
            setattr(numpy.random, name, function)


def _numpys() -> Any:
    """Numpy's own hidden generator, if numpy is loaded."""
    numpy: Any = sys.modules.get("numpy")
    return numpy.random.mtrand._rand if numpy else None
