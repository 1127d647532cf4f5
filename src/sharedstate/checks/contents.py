"""What an argument or a result holds: numbers, texts, tensors, arrays, and lists, tuples, sets and dicts of them."""

from __future__ import annotations

import copy
import sys
from collections.abc import Sequence
from typing import Any

NUMBERS = (bool, int, float, complex, str, bytes, type(None))


def library(thing: object) -> str:
    """Return "torch" for a tensor, "numpy" for an array, "" for the rest."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(thing, torch.Tensor):
        return "torch"
    return "numpy" if numpy is not None and isinstance(thing, numpy.ndarray) else ""


def plain(thing: Any) -> bool:
    """True for numbers, texts, tensors, arrays, and lists, tuples, sets and dicts of them."""
    if isinstance(thing, NUMBERS) or library(thing):
        return True
    if type(thing) is dict:
        return all(map(plain, thing.keys())) and all(map(plain, thing.values()))
    return type(thing) in (list, tuple, set, frozenset) and all(map(plain, thing))


def copied(thing: Any) -> Any:
    """Return a copy that shares no memory; what is not plain stays as it is."""
    if library(thing) == "torch":
        return thing.detach().clone()
    return copy.deepcopy(thing) if plain(thing) and not _holds_tensors(thing) else _copied_parts(thing)


def _copied_parts(thing: Any) -> Any:
    if type(thing) in (list, tuple, set, frozenset):
        return type(thing)(map(copied, thing))
    return {key: copied(value) for key, value in thing.items()} if type(thing) is dict else thing


def _holds_tensors(thing: Any) -> bool:
    parts = thing.values() if type(thing) is dict else thing if type(thing) in (list, tuple) else ()
    return library(thing) == "torch" or any(map(_holds_tensors, parts))


def same(one: Any, two: Any) -> bool:
    """The same kind and the same numbers; NaN is itself here."""
    if type(one) is not type(two):
        return False
    if library(one) == "torch":
        equal = one.shape == two.shape and one.dtype == two.dtype
        return equal and bool(((one == two) | ((one != one) & (two != two))).all())
    if library(one) == "numpy":
        return one.shape == two.shape and one.dtype == two.dtype and one.tobytes() == two.tobytes()
    if type(one) in (list, tuple):
        return len(one) == len(two) and all(map(same, one, two))
    if type(one) is dict:
        return [*one] == [*two] and all(map(same, one.values(), two.values()))
    return one is two or (isinstance(one, (*NUMBERS, set, frozenset)) and (one == two or (one != one and two != two)))


def form(thing: Any) -> object:
    """Return what a buffer for results would go by: type, shape and dtype."""
    if library(thing):
        return type(thing).__name__, tuple(thing.shape), str(thing.dtype)
    if type(thing) in (list, tuple):
        return type(thing).__name__, tuple(map(form, thing[:8])), len(thing)
    return type(thing).__name__


def memory(thing: Any) -> frozenset[int]:
    """Return the addresses of all memory in a value that can be written on."""
    if library(thing) == "torch":
        return frozenset({thing.untyped_storage().data_ptr()} if thing.numel() else ())
    if library(thing) == "numpy":
        while library(thing.base) == "numpy":
            thing = thing.base
        return frozenset({thing.__array_interface__["data"][0]} if thing.size else ())
    parts: Sequence[Any] = ()
    if type(thing) in (list, tuple, dict):
        parts = [*thing.values()] if type(thing) is dict else [*thing]
    own = {id(thing)} if type(thing) in (list, dict, set, bytearray) else set()
    return frozenset(own).union(*map(memory, parts))


def twin(given: tuple) -> tuple | None:
    """Return arguments of the same form with other contents; None where nothing holds contents."""
    if all(isinstance(one, NUMBERS) for one in given):
        return None
    return tuple(one if isinstance(one, NUMBERS) else _other(one) for one in given)


def _other(thing: Any) -> Any:
    """Return something of the same form that is not the same: other numbers, other texts."""
    if library(thing):
        return _other_tensor(thing) if library(thing) == "torch" else thing[::-1].copy()
    if type(thing) is dict:
        return {key: _other(value) for key, value in thing.items()}
    if type(thing) in (list, tuple):
        return type(thing)(map(_other, thing))
    if isinstance(thing, bool):
        return not thing
    if isinstance(thing, (int, float)):
        return thing + 1
    return thing[::-1] if isinstance(thing, (str, bytes)) else copied(thing)


def _other_tensor(one: Any) -> Any:
    if str(one.dtype) == "torch.bool":
        return ~one
    turned = one.flip(-1) if one.ndim else one.clone()
    if one.is_floating_point():
        return turned * -0.5 - 1.0
    return turned if not turned.equal(one) else one + 1


def changed_in_place(thing: Any, other: Any) -> bool:
    """Give a tensor, an array, a list or a dict the contents of another one of its form; True where it took them."""
    if library(thing) == "torch":
        thing.copy_(other)
        return True
    if library(thing) == "numpy":
        thing[...] = other
        return True
    if type(thing) not in (list, dict) or type(other) is not type(thing):
        return False
    for key in thing if type(thing) is dict else range(len(thing)):
        if not changed_in_place(thing[key], other[key]):
            thing[key] = other[key]
    return bool(thing)


def renewed(one: Any) -> Any:
    """Return a number or text as a new object (Python keeps one of each small number), anything else as it is."""
    if type(one) in (int, float):
        return type(one)(repr(one))
    return f"{one} "[:-1] if type(one) is str else one
