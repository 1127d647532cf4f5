"""The exercises of lab 01, the passcode race. Each lives in a module of its own; this one only names them."""

from __future__ import annotations

from sharedstate.checks.unit01_accesses import NameTheAccesses
from sharedstate.checks.unit01_harness import MeasuringHarness
from sharedstate.checks.unit01_invariants import TwoInvariants
from sharedstate.checks.unit01_schedule import LetMalloryIn
from sharedstate.checks.unit01_slider import PredictTheSlider

EXERCISES = (LetMalloryIn(), NameTheAccesses(), TwoInvariants(), MeasuringHarness(), PredictTheSlider())
