"""A module of a learner's that keeps something: threads reach it as `till.total`, and as its own globals."""

from __future__ import annotations

import operator


class Drawer:
    """A field to count in."""

    def __init__(self) -> None:
        self.n = 0


COUNT = operator.attrgetter("n")
total = 0
slips: list[int] = []
drawer = Drawer()


def reset() -> None:
    """As at the beginning."""
    global total, drawer
    total, drawer = 0, Drawer()
    slips.clear()
