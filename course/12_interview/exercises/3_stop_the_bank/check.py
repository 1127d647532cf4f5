"""Exercise 12.3: two payments that wait for each other for ever."""

from __future__ import annotations

from .levels import PlaysALevel


class StopTheBank(PlaysALevel):
    """The answer is a schedule for the level two-locks."""

    id = "12.3"
    title = "Stop the bank"
    answer = "standstill"
    game = "two-locks"
    minutes = 6
    difficulty = 2
    par = 1
    missed = "Each should hold one lock, and want the other's."


EXERCISE = StopTheBank()
