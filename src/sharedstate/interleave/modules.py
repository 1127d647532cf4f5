"""Data of a learner's own modules, reached as `module.name`: shared by everybody who imports them.

The same variable may be reached as a global by the module's own functions, so a step on it touches both names.
"""

from __future__ import annotations

import types
from typing import Any

from sharedstate.interleave.sites import STEP
from sharedstate.interleave.source import is_user_module


def fixed(value: object) -> bool:
    """True for what a module defines and nobody writes, as a rule: a function, a class, another module."""
    return isinstance(value, (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType))


def followed(run: Any, module: types.ModuleType) -> bool:
    """True for a learner's module; worked out once in a program."""
    known = run.program.modules.get(module)
    if known is None:
        known = run.program.modules[module] = is_user_module(module)
    return known


def read(run: Any, thread: Any, site: Any, module: types.ModuleType) -> Any:
    """Read an attribute of a module: a step if it is data of a learner's module."""
    value = getattr(module, site.name)
    if fixed(value) or not followed(run, module):
        thread.foreign += 1
        return value
    know(run, module)
    run.registry.add(value, f"{module.__name__}.{site.name}")
    return STEP


def write(run: Any, site: Any, module: types.ModuleType) -> None:
    """A learner's module is written: from now on its functions' reads of that global are steps too."""
    if followed(run, module):
        know(run, module)
        run.program.written.add((id(vars(module)), site.name))


def know(run: Any, module: types.ModuleType) -> None:
    """Give a module a name in this run."""
    if id(module) not in run.names:
        run.names[id(module)] = module.__name__
        run.registry.keep.append(module)
