"""The fault table: every bug the course shows, with the oracle that must catch it, its control and its fix.

The code of a fault is the cell of the lesson in which the learner reads it; `walk` runs that cell and asks.
"""

from __future__ import annotations

from sharedstate.faults.lesson import LessonError, load
from sharedstate.faults.report import FaultReport, walk
from sharedstate.faults.table import Fault, UnknownFault, table

__all__ = ["Fault", "FaultReport", "LessonError", "UnknownFault", "load", "table", "walk"]
