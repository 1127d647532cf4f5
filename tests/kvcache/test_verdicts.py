"""Rounding or leak: right engines round, every bug leaks, and so does one that is smaller than fp32's tolerance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from sharedstate.faults.unit07 import BUGS
from sharedstate.kvcache import PackedCache, SlotCache, SlotEngine
from sharedstate.kvcache.cases import CASES
from sharedstate.kvcache.oracles import alone
from sharedstate.kvcache.verdicts import verdict
from sharedstate.kvcache.workloads import Workload

BOTH = Workload("add a; add b; step a b", {"a": 4, "b": 3}, slots=2)


class Whispers(SlotEngine):
    """A billionth of the neighbours' keys arrives."""

    share = 1e-6

    def read(self, layer: int, rows: Any) -> tuple[Tensor, Tensor]:
        keys, values = super().read(layer, rows)
        return keys + self.share * keys.roll(1, 0), values


class Detached(Whispers):
    """The same, and no gradient flows through it."""

    def read(self, layer: int, rows: Any) -> tuple[Tensor, Tensor]:
        keys, values = SlotEngine.read(self, layer, rows)
        return keys + self.share * keys.roll(1, 0).detach(), values


class AnotherOrder(SlotEngine):
    """The same sum in another order: the columns are read from the last to the first."""

    def read(self, layer: int, rows: Any) -> tuple[Tensor, Tensor]:
        keys, values = super().read(layer, rows)
        return keys.flip(2), values.flip(2)

    def mask(self, rows: Any, layer: int) -> Tensor:
        return super().mask(rows, layer).flip(-1)


class LargeFirst(SlotEngine):
    """The same sum in another order: a large number comes first and goes last."""

    def read(self, layer: int, rows: Any) -> tuple[Tensor, Tensor]:
        keys, values = super().read(layer, rows)
        return (keys + 1_000_000) - 1_000_000, values


@pytest.mark.parametrize("variant", [SlotEngine, SlotCache, PackedCache, AnotherOrder])
def test_right_engines_round(variant: type) -> None:
    found = verdict(variant, BOTH)
    assert found.word == "rounding" and str(found).startswith("rounding: off by ")
    assert found.findings["alone, fp32"].value < 1e-5


def test_rounding_that_alone_accuses_is_still_rounding() -> None:
    found = verdict(LargeFirst, BOTH)
    assert found.findings["alone, fp32"].sees and not found.findings["alone, fp64"].sees
    assert found.word == "rounding" and "it shrinks with the precision" in found.reason


@pytest.mark.parametrize("variant", [Whispers, Detached])
def test_what_fp32_takes_for_rounding_is_a_leak(variant: type[SlotEngine]) -> None:
    assert not alone(variant, BOTH, torch.float32).sees
    assert verdict(variant, BOTH).word == "leak"


@pytest.mark.parametrize("name", sorted(BUGS))
def test_every_bug_of_the_unit_leaks(name: str, bugs: dict[str, type]) -> None:
    everybody = replace(CASES[name].minimal, victim="")
    assert verdict(bugs[name], everybody).word == "leak"


def test_an_engine_may_be_handed_over_as_a_function() -> None:
    def make(model: object, slots: int, capacity: int, **options: object) -> SlotEngine:
        return SlotEngine(model, slots, capacity, cache=PackedCache, **options)

    assert verdict(make, BOTH).word == "rounding"
