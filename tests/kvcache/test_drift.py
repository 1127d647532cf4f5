"""One polluted step: the error of the logits decays, the texts that chose otherwise stay apart."""

from __future__ import annotations

import pytest
import torch

from sharedstate.kvcache import SlotEngine
from sharedstate.kvcache.drift import drift
from sharedstate.model import checkpoints


class Stale(SlotEngine):
    """Reads on to where the slot was ever written."""

    def valid_length(self, slot: int, layer: int) -> int:
        """As far as it was ever written."""
        return self.cache.extent(slot, layer)


@pytest.fixture(scope="module")
def lines() -> torch.Tensor:
    return checkpoints.Recipe().validation()[0]


def test_one_polluted_step_decays_and_choices_stay(lines: torch.Tensor) -> None:
    found = drift(Stale, checkpoints.load("masked"), lines)
    assert found.errors.shape == found.apart.shape == (30, 32)
    assert found.median[0] > 1 and found.median[-1] < 0.01 * found.median[0]
    assert list(found.differ) == sorted(found.differ) and found.differ[-1] > 0
    assert f"of 32; texts that differ: {int(found.apart[-1].sum())}" in found.text


def test_a_right_engine_leaves_nothing(lines: torch.Tensor) -> None:
    found = drift(SlotEngine, checkpoints.load("masked"), lines[:4], steps=5)
    assert found.errors.max() == 0 and not found.apart.any()


def test_too_short_lines_are_refused(lines: torch.Tensor) -> None:
    with pytest.raises(ValueError, match="40 are needed"):
        drift(Stale, checkpoints.load("masked"), lines[:, :30], steps=5)
