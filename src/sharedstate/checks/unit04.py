"""The exercises of lab 04, attention and masks. Each lives in a module of its own; this one names them."""

from __future__ import annotations

from sharedstate.checks.unit04_heads import CutWithoutALeak
from sharedstate.checks.unit04_hunt import FindPlantedMasks
from sharedstate.checks.unit04_loss import TooGood
from sharedstate.checks.unit04_padding import TwoMasksOneTable
from sharedstate.checks.unit04_weights import KeepTheStringTied

EXERCISES = (KeepTheStringTied(), CutWithoutALeak(), FindPlantedMasks(), TwoMasksOneTable(), TooGood())
