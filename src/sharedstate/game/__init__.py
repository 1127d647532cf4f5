"""You are the scheduler: programs to break by choosing who moves. Start with `level` and `LEVELS`."""

from __future__ import annotations

from sharedstate.game.levels import LEVELS, level
from sharedstate.game.rules import Level, Score, moves, switches

__all__ = ["LEVELS", "Level", "Score", "level", "moves", "switches"]
