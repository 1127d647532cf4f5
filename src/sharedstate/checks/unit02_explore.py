"""Plain data from the explorer, for checks that try a learner's code in every order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sharedstate.interleave import Scenario

SECONDS = 3.0
KEYS = frozenset({"verdict", "schedule"})


def explored(room: Scenario) -> dict[str, object]:
    """Return the verdict, and the shortest failing schedule as text (None where nothing fails)."""
    result = room.explore("dpor", seconds=SECONDS, first=True)
    shown = result.minimal.show("text").text if result.minimal is not None else None
    return {"verdict": result.verdict, "schedule": shown}


def readable(value: object) -> bool:
    """True for a value of `explored`, exactly."""
    return (type(value) is dict and {*value} == KEYS and type(value["verdict"]) is str
            and type(value["schedule"]) in (str, type(None)))


def schedule_of(value: Mapping[str, object]) -> str | None:
    """Return the schedule of an explored value."""
    text = value["schedule"]
    return text if type(text) is str else None
