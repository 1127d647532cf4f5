"""The interleaving explorer: every schedule of a small concurrent program, tried and shown.

Standard library only. Start with `Scenario`.
"""

from __future__ import annotations

from sharedstate.interleave.comparison import compare
from sharedstate.interleave.scenario import Scenario
from sharedstate.interleave.trace import Step, Trace, View

__all__ = ["Scenario", "Step", "Trace", "View", "compare"]
