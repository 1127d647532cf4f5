"""Passcode checkers, racy and fixed: measure their race, force it. And passcodes for tests, in batches."""

from __future__ import annotations

from sharedstate.passcodes.alphabet import SYMBOLS
from sharedstate.passcodes.checkers import CHECKERS, FIXED, RACY, RIGHT, WRONG, SpinChecker
from sharedstate.passcodes.config import RaceConfig, RaceResult, predict_rate, table
from sharedstate.passcodes.generate import generate, passcode_at
from sharedstate.passcodes.join import DuplicatePasscode, duplicates, generate_checked, join
from sharedstate.passcodes.measure import NeverCameBack, measure_gap, measure_race, switch_interval
from sharedstate.passcodes.price import WORDS, PriceConfig, PriceResult, measure_price
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
from sharedstate.passcodes.unique import generate_unique
from sharedstate.switch_points import (
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
    "SYMBOLS",
    "WORDS",
    "WRONG",
    "DuplicatePasscode",
    "Forced",
    "ForcedCount",
    "NeverCameBack",
    "PriceConfig",
    "PriceResult",
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
    "duplicates",
    "force_by_event",
    "force_by_trace",
    "free_threaded_build",
    "gap_sweep",
    "generate",
    "generate_checked",
    "generate_unique",
    "gil_enabled",
    "join",
    "measure_gap",
    "measure_price",
    "measure_race",
    "passcode_at",
    "predict_rate",
    "run_sweep",
    "switch_interval",
    "switch_points",
    "table",
    "thread_sweep",
]  # fmt: skip
