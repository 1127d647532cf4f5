"""No duplicate by a check: the place where the units' batches come together is where it can be asked.

Each unit draws alone and shares nothing. Here, in one thread and in the order of the units, later ones give way: what
was there before is drawn again, from the same unit's stream. So the result depends on the seed, never on who
was first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sharedstate.passcodes.alphabet import SYMBOLS, Recipe, whole
from sharedstate.passcodes.generate import generate
from sharedstate.passcodes.streams import MOST
from sharedstate.passcodes.unique import require_possible

if TYPE_CHECKING:
    from numpy import ndarray

MOST_UNITS = 2**16


class DuplicatePasscode(ValueError):
    """A passcode is there twice; the text names it, and the two units and places."""


def duplicates(passcodes: ndarray) -> int:
    """Return how many passcodes are copies of an earlier one: sort, and compare neighbours."""
    import numpy as np

    ordered = np.sort(passcodes)
    return int((ordered[1:] == ordered[:-1]).sum())


def join(parts: Sequence[ndarray]) -> ndarray:
    """Return the batches of units 0, 1, ... one after the other.

    Raises DuplicatePasscode when a passcode is there twice, in one unit or in two; ValueError without a unit.
    """
    import numpy as np

    if not len(parts):
        raise ValueError("There is nothing to join: give one array of passcodes for each unit.")
    whole_batch = np.concatenate(parts)
    if duplicates(whole_batch):
        raise DuplicatePasscode(_first_duplicate(whole_batch, [len(part) for part in parts]))
    return whole_batch


def generate_checked(
    count: int, length: int = 16, alphabet: str = SYMBOLS, seed: int = 0, units: int = 1
) -> list[ndarray]:
    """Return each unit's `count` passcodes, S{length}, no passcode twice, not even in two units.

    Mostly the same as `generate`'s; where one was there before, the unit's next one takes its place. Raises
    ValueError when so many different passcodes do not exist.
    """
    recipe, units = Recipe(length, alphabet), whole(units, "units", 1, MOST_UNITS)
    count = whole(count, "count", 0, MOST)
    require_possible(count * units, recipe)
    taken: set[bytes] = set()
    return [_unit(count, recipe, seed, unit, taken) for unit in range(units)]


def _unit(count: int, recipe: Recipe, seed: int, unit: int, taken: set[bytes]) -> ndarray:
    """Draw one unit's passcodes past those that are taken, and take them."""
    import numpy as np

    found: list[bytes] = []
    start = 0
    while len(found) < count:
        more = max(count - len(found), 256 if start else 0)
        for code in generate(more, recipe.length, recipe.alphabet, seed, unit, start=start).tolist():
            if code not in taken and len(found) < count:
                taken.add(code)
                found.append(code)
        start += more
    return np.array(found, dtype=f"S{recipe.length}")


def _first_duplicate(batch: ndarray, sizes: Sequence[int]) -> str:
    """Say which passcode comes twice, and where."""
    import numpy as np

    order = np.argsort(batch, kind="stable")
    again = np.flatnonzero(batch[order][1:] == batch[order][:-1])
    second = int(order[again + 1].min())
    first = int(np.flatnonzero(batch == batch[second])[0])
    starts = np.concatenate(([0], np.cumsum(sizes)))
    spots = []
    for place in (first, second):
        unit = int(np.searchsorted(starts, place, side="right")) - 1
        spots.append(f"unit {unit}, number {place - int(starts[unit])}")
    return f"{batch[second].decode()} is there twice: {' and '.join(spots)}."
