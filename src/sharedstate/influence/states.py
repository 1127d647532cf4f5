"""The five states of a cell of the influence matrix, and the column that stands for the schedule."""

from __future__ import annotations

from types import MappingProxyType

ALLOWED, ISOLATED, LEAK, LOST, UNKNOWN = "allowed", "isolated", "leak", "lost", "unknown"
LETTERS = MappingProxyType({ALLOWED: "A", ISOLATED: "I", LEAK: "L", LOST: "X", UNKNOWN: "?"})
MEANINGS = MappingProxyType(
    {
        ALLOWED: "influence that may be",
        ISOLATED: "no influence",
        LEAK: "influence that may not be",
        LOST: "influence that must be, and is not",
        UNKNOWN: "not decided",
    }
)
SCHEDULE = "schedule"
