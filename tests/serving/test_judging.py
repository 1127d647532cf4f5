"""A serving engine before the oracles: the right one rounds, and what is planted in its parts is called by its name."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from sharedstate.kvcache.oracles import alone, jacobian
from sharedstate.kvcache.verdicts import verdict
from sharedstate.kvcache.workloads import Workload
from sharedstate.serving import Engine, Group, Live, PagedStore, Runner, judged

WORK = Workload("add old; finish old; add a; add b; step a b", {"old": 5, "a": 5, "b": 3}, slots=2)


class LargeFirst(Runner):
    """The same sum in another order: a large number comes first and goes last."""

    def linear(self, x: Tensor, weight: Tensor) -> Tensor:
        return (x @ weight + 10_000) - 10_000


class FromBehind(Runner):
    """The same sum in another order."""

    def linear(self, x: Tensor, weight: Tensor) -> Tensor:
        return x.flip(1) @ weight.flip(0)


class Whispers(PagedStore):
    """A millionth of the neighbour's keys arrives."""

    def fetch(self, layer: int, group: Group) -> tuple[Tensor, Tensor]:
        k, v = super().fetch(layer, group)
        return k + 1e-6 * k.roll(1, 0), v


class Detached(PagedStore):
    """The same, and no gradient flows through it."""

    def fetch(self, layer: int, group: Group) -> tuple[Tensor, Tensor]:
        k, v = super().fetch(layer, group)
        return k + 1e-6 * k.roll(1, 0).detach(), v


class LongestMask(Runner):
    """Everybody may look at as many keys as the longest request of the group."""

    def mask(self, group: Group) -> Tensor:
        return super().mask(group).amax(0, keepdim=True)


class ByPlace(Engine):
    """Answers go by the order of arrival."""

    def choose(self, logits: Tensor, rows: list[Live]) -> list:
        tokens = super().choose(logits, rows)
        return [tokens[n] for n in sorted(range(len(rows)), key=lambda n: rows[n].epoch)]


@pytest.mark.parametrize("variant", [judged(), judged(runner=FromBehind), judged(deterministic=True)],
                         ids=["plain", "from behind", "deterministic"])  # fmt: skip
def test_right_engines_round(variant: Any) -> None:
    found = verdict(variant, WORK)
    assert found.word == "rounding" and found.findings["alone, fp32"].value < 1e-5


def test_a_planted_reordering_is_accused_by_alone_and_is_rounding() -> None:
    found = verdict(judged(runner=LargeFirst), WORK)
    assert found.findings["alone, fp32"].sees and found.findings["alone, fp32"].value < 0.01
    assert found.word == "rounding"


@pytest.mark.parametrize("variant", [judged(store=Whispers), judged(store=Detached)], ids=["whispers", "detached"])
def test_a_leak_that_alone_does_not_see_in_fp32_is_a_leak(variant: Any) -> None:
    assert not alone(variant, WORK, torch.float32).sees
    assert verdict(variant, WORK).word == "leak"


@pytest.mark.parametrize("variant", [judged(runner=LongestMask), judged(ByPlace)], ids=["mask", "by place"])
def test_a_large_leak_is_a_leak(variant: Any) -> None:
    assert alone(variant, WORK, torch.float64).sees
    assert verdict(variant, WORK).word == "leak"


def test_who_reaches_whom_is_named() -> None:
    assert jacobian(judged(store=Whispers), WORK).text == "b reaches a, a reaches b"
    assert jacobian(judged(), WORK).text == "exactly 0"


def test_a_padded_batch_is_added_at_once() -> None:
    together = Workload("batch left a b; step a; step b a", {"a": 6, "b": 2}, slots=2)
    assert not alone(judged(), together, torch.float64).sees
    assert alone(judged(ByPlace), together, torch.float64).sees
