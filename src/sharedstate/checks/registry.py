"""Which exercises exist: one module per unit, named here and nowhere else."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .types import Exercise

UNIT_MODULES = MappingProxyType({
    "01": "sharedstate.checks.unit01",
    "02": "sharedstate.checks.unit02",
    "03": "sharedstate.checks.unit03",
    "04": "sharedstate.checks.unit04",
    "05": "sharedstate.checks.unit05",
    "06": "sharedstate.checks.unit06",
    "07": "sharedstate.checks.unit07",
})


@dataclass(frozen=True)
class Registry:
    """Units and the module that holds each unit's EXERCISES (a tuple of Exercise objects)."""

    modules: Mapping[str, str] = field(default_factory=lambda: UNIT_MODULES)

    def exercises(self, unit: str) -> tuple[Exercise, ...]:
        """Return the unit's exercises in order; () without a lab. `unit`: "1", "01", "01_passcode_race"."""
        name = self.modules.get(unit_number(unit))
        return tuple(importlib.import_module(name).EXERCISES) if name else ()

    def exercise(self, exercise_id: str) -> Exercise:
        """Return one exercise by its id ("01.2"); ValueError lists the ids there are."""
        known = self.exercises(exercise_id) if re.match(r"\d", str(exercise_id)) else ()
        for one in known:
            if one.id == exercise_id:
                return one
        every = [e.id for unit in self.modules for e in self.exercises(unit)]
        raise ValueError(f"There is no exercise {exercise_id!r}. Exercises: {', '.join(every)}.")


def unit_number(word: str) -> str:
    """Return the two digits a unit's name, number or exercise id begins with; ValueError when it has none."""
    found = re.match(r"\d+", str(word))
    if not found:
        raise ValueError(f"{word!r} names no unit: a unit begins with its number, for example 01.")
    return found.group().zfill(2)


def exercises(unit: str) -> tuple[Exercise, ...]:
    """Return the exercises of one unit of the course."""
    return Registry().exercises(unit)


def exercise(exercise_id: str) -> Exercise:
    """Return one exercise of the course by its id."""
    return Registry().exercise(exercise_id)
