"""Passcode checkers, racy and fixed: measure their race, force it, read where threads may switch."""

from __future__ import annotations

from sharedstate.passcodes.checkers import CHECKERS, FIXED, RACY, RIGHT, WRONG, SpinChecker
from sharedstate.passcodes.config import RaceConfig, RaceResult, predict_rate, table
from sharedstate.passcodes.measure import NeverCameBack, measure_gap, measure_race, switch_interval
from sharedstate.passcodes.recorded import FREE_THREADED, RecordedRow
from sharedstate.passcodes.seams import (
    Forced,
    ForcedCount,
    SeamMissed,
    count_forced,
    force_by_event,
    force_by_trace,
)
from sharedstate.passcodes.sweep import SweepFailed, SweepProcess, gap_sweep, run_sweep, thread_sweep
from sharedstate.passcodes.switch_points import (
    SwitchPoint,
    can_switch_between,
    free_threaded_build,
    gil_enabled,
    switch_points,
)

__all__ = [
    "CHECKERS",
    "FIXED",
    "FREE_THREADED",
    "RACY",
    "RIGHT",
    "WRONG",
    "Forced",
    "ForcedCount",
    "NeverCameBack",
    "RaceConfig",
    "RaceResult",
    "RecordedRow",
    "SeamMissed",
    "SpinChecker",
    "SweepFailed",
    "SweepProcess",
    "SwitchPoint",
    "can_switch_between",
    "count_forced",
    "force_by_event",
    "force_by_trace",
    "free_threaded_build",
    "gap_sweep",
    "gil_enabled",
    "measure_gap",
    "measure_race",
    "predict_rate",
    "run_sweep",
    "switch_interval",
    "switch_points",
    "table",
    "thread_sweep",
]  # fmt: skip
