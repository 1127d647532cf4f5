"""A mock interview: drills drawn from a seed, whose time limits together fit into the time there is."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from sharedstate.drills.deck import Drill

LENGTHS = (20, 45)
Wish = Callable[[Drill], bool]


def interview(drills: Sequence[Drill], minutes: int, seed: int) -> tuple[Drill, ...]:
    """Return the drills of an interview of 20 or 45 minutes, easiest level first: the same for the same seed.

    In 20 minutes one of level 1, one of level 2 and one to explain aloud; in 45 one of level 3 and one that asks for
    code as well. What time is left is filled. Raises ValueError for another length, or if the deck has too little.
    """
    if minutes not in LENGTHS:
        raise ValueError(f"An interview takes {' or '.join(map(str, LENGTHS))} minutes, not {minutes}.")
    draw = random.Random(f"interview:{minutes}:{seed}")
    order = sorted(drills, key=lambda one: one.id)
    draw.shuffle(order)
    chosen = _wished(order, wishes(minutes), minutes)
    for one in order:
        if one not in chosen and one.minutes <= minutes - time_of(chosen):
            chosen.append(one)
    return tuple(sorted(chosen, key=lambda one: (one.level, one.id)))


def time_of(drills: Sequence[Drill]) -> int:
    """Return the sum of the time limits, in minutes."""
    return sum(one.minutes for one in drills)


def wishes(minutes: int) -> tuple[Wish, ...]:
    """Return what an interview of this length must have, the longest first."""
    short: tuple[Wish, ...] = (_written(2), _written(1), lambda one: one.kind == "aloud")
    long: tuple[Wish, ...] = (_written(3), lambda one: one.kind == "code")
    return short if minutes == min(LENGTHS) else long + short


def _written(level: int) -> Wish:
    """Return whether a drill is of this level, and not one to explain aloud."""
    return lambda one: one.level == level and one.kind != "aloud"


def _wished(order: Sequence[Drill], wanted: Sequence[Wish], minutes: int) -> list[Drill]:
    """Return one drill for each wish, the first in this order that leaves the later wishes enough time."""
    chosen: list[Drill] = []
    for number, wish in enumerate(wanted):
        if any(map(wish, chosen)):
            continue
        later = sum(min((one.minutes for one in order if each(one)), default=minutes) for each in wanted[number + 1:])
        left = minutes - time_of(chosen) - later
        fitting = [one for one in order if wish(one) and one.minutes <= left]
        if not fitting:
            raise ValueError(f"This deck does not fill an interview of {minutes} minutes.")
        chosen.append(fitting[0])
    return chosen
