"""What a fault is, and the table of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

# one module a unit in this folder, each with its tuple FAULTS
UNIT_MODULES = (
    "unit01", "unit02", "unit03", "unit04", "unit05", "unit06", "unit07", "unit08", "unit09", "unit10", "unit11",
)  # fmt: skip

Names = Mapping[str, Any]  # what the lesson's cells defined: classes, functions, values of any kind
Probe = Callable[[Names], bool]


class UnknownFault(ValueError):
    """A name that is not in the table; the text lists those that are."""


@dataclass(frozen=True)
class Fault:
    """One bug of the course. `oracle`, `control` and `fix` say in words what the three probes do.

    A probe gets the names that the lesson's cells defined (setup cells, the cells tagged `fault:<name>`, for
    `fix_clean` those tagged `fix:<name>` too) and returns a bool: `show` True when the oracle sees the bug,
    `control_clean` True when the same oracle is quiet on the control, `fix_clean` True when it is on the fix.
    The bug must be forced (a schedule, a seam, a fixed configuration): True in every run.
    """

    name: str
    unit: str
    oracle: str
    control: str
    fix: str
    show: Probe
    control_clean: Probe
    fix_clean: Probe


def table() -> tuple[Fault, ...]:
    """Return every fault, in the order of the units. Raises ValueError when two have one name."""
    faults = tuple(f for name in UNIT_MODULES for f in import_module(f"sharedstate.faults.{name}").FAULTS)
    names = [fault.name for fault in faults]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise ValueError(f"The fault table names these twice: {', '.join(doubled)}.")
    return faults


def select(faults: Iterable[Fault], names: Iterable[str] = (), unit: str | None = None) -> tuple[Fault, ...]:
    """Return the faults with these names (none named: all), of this unit (full name) if one is given.

    Raises UnknownFault, which lists the names there are.
    """
    inside = [fault for fault in faults if unit in (None, fault.unit)]
    wanted = tuple(dict.fromkeys(names))
    missing = [name for name in wanted if name not in {fault.name for fault in inside}]
    if missing:
        place = f" in {unit}" if unit else ""
        known = ", ".join(fault.name for fault in inside) or "none"
        raise UnknownFault(f"No fault {', '.join(map(repr, missing))}{place}. Faults{place}: {known}.")
    return tuple(fault for fault in inside if not wanted or fault.name in wanted)
