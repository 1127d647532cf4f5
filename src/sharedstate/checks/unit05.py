"""The exercises of lab 05, windows and channels. Each lives in a module of its own."""

from __future__ import annotations

from sharedstate.checks.unit05_axial import HeightThenWidth
from sharedstate.checks.unit05_leaks import LeakFinder
from sharedstate.checks.unit05_mask import RegionMask
from sharedstate.checks.unit05_windows import CutAndJoin

EXERCISES = (CutAndJoin(), RegionMask(), HeightThenWidth(), LeakFinder())
