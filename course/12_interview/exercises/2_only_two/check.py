"""Exercise 12.2: six increments, and the counter says 2."""

from __future__ import annotations

from .levels import PlaysALevel


class OnlyTwo(PlaysALevel):
    """The answer is a schedule for the level only-two."""

    id = "12.2"
    title = "Six come in, the counter says 2"
    answer = "schedule"
    game = "only-two"
    minutes = 9
    difficulty = 3
    par = 5
    missed = "The last write must be a 2: whose, and which 1 has it read?"


EXERCISE = OnlyTwo()
