"""What is known of numpy and torch: which arrays a call reads and which it changes, and their hidden generators."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from sharedstate.interleave.access import places
from sharedstate.interleave.access.places import Touched
from sharedstate.interleave.runs.protocol import Run

LIBRARIES = ("numpy", "torch")
TORCH_RANDOM = frozenset(
    "rand randn randint randperm normal bernoulli multinomial poisson dropout rand_like randn_like randint_like "
    "manual_seed seed initial_seed get_rng_state set_rng_state random_ normal_ uniform_ bernoulli_ exponential_ "
    "geometric_ cauchy_ log_normal_ alpha_dropout feature_dropout".split()
)
NUMPY_CHANGING = frozenset(
    "fill sort put itemset resize partition setflags setfield byteswap __setitem__ __delitem__ shuffle "
    "__setstate__".split()
)
NUMPY_FIRST = frozenset("copyto put place putmask put_along_axis fill_diagonal".split())
# What torch has written in Python that only works values out, sets `out=`, or is its generators and modes.
TORCH_PURE = frozenset(
    "torch torch.functional torch.nn.functional torch._tensor torch.random torch.nn.init torch.special torch.linalg "
    "torch.autograd.grad_mode torch.utils._contextlib torch.nn.parameter torch._tensor_str torch._VF "
    "torch.serialization".split()
)


def of_numpy(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """numpy: arrays are read, `out` is written, generators move on."""
    name = getattr(function, "__name__", "")
    receiver = None if isinstance(receiver, types.ModuleType) else receiver
    out = keywords.get("out")
    found: Touched = []
    if receiver is not None:
        generator = "random" in (type(receiver).__module__ or "")
        if generator and name != "bit_generator":
            run.learn(receiver, f"numpy's {type(receiver).__name__}")
        found += places.whole(run, receiver, generator or name in NUMPY_CHANGING)
        if name == "shuffle" and args:
            found += places.whole(run, args[0], True)
    if (name in NUMPY_FIRST or (name == "at" and hasattr(receiver, "nin"))) and args:
        found += places.whole(run, args[0], True)
    if hasattr(function, "nin"):  # a ufunc: what it is given beyond its operands, it writes
        found += places.deep(run, args[function.nin :], True)
    for thing in out if type(out) is tuple else (out,):
        found += places.deep(run, (thing,), True)
    return found + places.deep(run, (*args, *keywords.values()))


def of_torch(function: Any, module: str, name: str) -> Callable[..., Touched] | None:
    """torch: its functions in C are known, and of those in Python the ones that only work values out."""
    if name in ("backward", "grad"):
        return _backward
    if name.startswith(("set_default", "set_num", "set_float32", "set_flush", "set_print", "use_")):
        return None  # it sets something for everybody
    python = type(function) is types.FunctionType
    return _torch if not python or module in TORCH_PURE or name.startswith("__") else None


def _backward(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """torch: gradients are added to those that the leaves of a tensor's graph have."""
    found = _torch(run, function, receiver, args, keywords)
    things = (receiver, *args, *keywords.values())
    todo, seen = [thing for thing in things if hasattr(thing, "grad_fn")], set[int]()
    todo = [thing.grad_fn if thing.grad_fn is not None else thing for thing in todo]
    while todo:
        node = todo.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        leaf = getattr(node, "variable", node if hasattr(node, "grad") else None)
        found += places.whole(run, leaf, True)
        todo += [below for below, _ in getattr(node, "next_functions", ())]
    return found


def _torch(run: Run, function: Any, receiver: Any, args: tuple, keywords: dict) -> Touched:
    """torch: tensors are read; `name_`, `out=` and the generators are written."""
    name = getattr(function, "__name__", "")
    receiver = None if isinstance(receiver, (types.ModuleType, type)) else receiver
    in_place = (name.endswith("_") and not name.endswith("__")) or name in ("__setitem__", "__iadd__", "__set__")
    first = receiver if receiver is not None else args[0] if args else None
    found = places.deep(run, (first,), in_place)
    if keywords.get("out") is not None:
        found += places.deep(run, (keywords["out"],), True)
    if name in TORCH_RANDOM or type(receiver).__name__ == "Generator":
        torch = sys.modules["torch"]
        generator = keywords.get("generator") or (receiver if type(receiver).__name__ == "Generator" else None)
        generator = torch.default_generator if generator is None else generator
        run.learn(generator, "torch.default_generator" if generator is torch.default_generator else "a torch.Generator")
        found += places.whole(run, generator, True)
    return found + places.deep(run, (*args, *keywords.values()))
