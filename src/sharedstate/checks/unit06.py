"""The exercises of lab 06, the KV cache. Each lives in a module of its own."""

from __future__ import annotations

from sharedstate.checks.unit06_box import LayerBox
from sharedstate.checks.unit06_cost import CostModel
from sharedstate.checks.unit06_decode import DecodeLoop
from sharedstate.checks.unit06_plan import Planner
from sharedstate.checks.unit06_stale import StaleKeys

EXERCISES = (LayerBox(), DecodeLoop(), StaleKeys(), Planner(), CostModel())
