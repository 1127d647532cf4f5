"""The interleaving explorer: every schedule of a small concurrent program, tried and shown.

Standard library only. Start with `Scenario`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sharedstate.interleave.trace import Step, Trace, View

if TYPE_CHECKING:
    from sharedstate.interleave.comparison import compare
    from sharedstate.interleave.scenario import Scenario

__all__ = ["Scenario", "Step", "Trace", "View", "compare"]


def __getattr__(name: str) -> object:
    """Load the explorer itself only when it is asked for."""
    if name == "Scenario":
        from sharedstate.interleave.scenario import Scenario

        return Scenario
    if name == "compare":
        from sharedstate.interleave.comparison import compare

        return compare
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
