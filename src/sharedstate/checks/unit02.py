"""The exercises of lab 02, isolation fixes. Each lives in a module of its own; this one only names them."""

from __future__ import annotations

from sharedstate.checks.unit02_fixes import FixFourWays
from sharedstate.checks.unit02_order import OrderedTransfer
from sharedstate.checks.unit02_pool import RequestInAPool
from sharedstate.checks.unit02_schedules import BreakTheHalfFixes
from sharedstate.checks.unit02_section import SmallestSection
from sharedstate.checks.unit02_tasks import GrainForTasks

EXERCISES = (
    FixFourWays(), BreakTheHalfFixes(), GrainForTasks(), RequestInAPool(), SmallestSection(), OrderedTransfer(),
)
