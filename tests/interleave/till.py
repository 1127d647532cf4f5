"""A module of a learner's that keeps something: what threads do to it through the module is no step."""

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
