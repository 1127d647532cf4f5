"""Interview drills: the deck, a mock interview drawn from it, the clock and the points, and a sheet for two people."""

from __future__ import annotations

from sharedstate.drills.deck import Drill, deck, drill
from sharedstate.drills.history import DrillBook, DrillError, Try
from sharedstate.drills.mock import interview

__all__ = ["Drill", "DrillBook", "DrillError", "Try", "deck", "drill", "interview"]
