"""One polluted step: the error of the logits decays, the texts that chose otherwise stay apart."""

from __future__ import annotations

import pytest
import torch

from sharedstate.kvcache import SlotEngine
from sharedstate.kvcache.drift import by_context, drift
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


class ByLength(SlotEngine):
    """Finds a prompt again by its length."""

    def prefix_key(self, request: str, prompt: object) -> object:
        """The length alone."""
        return len(prompt)


def test_a_pollution_that_stays_does_not_shrink(lines: torch.Tensor) -> None:
    found = drift(Stale, checkpoints.load("masked"), lines[:16], kind="stays")
    assert found.median[-1] > 0.3 * found.median[0] and found.above > 8


def test_a_wrong_prefix_that_is_kept_shrinks_and_is_still_there(lines: torch.Tensor) -> None:
    found = drift(ByLength, checkpoints.load("masked"), lines[:16], kind="prefix")
    assert found.median[0] > 1 and 1e-2 < found.median[-1] < 0.2 * found.median[0]
    assert 0 < found.above < 16
    assert drift(SlotEngine, checkpoints.load("masked"), lines[:4], steps=4, kind="prefix").errors.max() == 0
    with pytest.raises(ValueError, match="one of passed, stays, prefix"):
        drift(ByLength, checkpoints.load("masked"), lines, kind="gone")


def test_a_longer_context_of_ones_own_dilutes_a_fixed_pollution(lines: torch.Tensor) -> None:
    model = checkpoints.load("masked")
    fixed = by_context(Stale, model, lines[:16], (4, 16, 48), stale=8)
    grows = {own: by_context(Stale, model, lines[:16], (own,), stale=own)[own] for own in (4, 16, 32)}
    assert fixed[48] < fixed[4]
    assert grows[32] > 1.2 * grows[4]
    assert max(by_context(SlotEngine, model, lines[:4], (4,), stale=8).values()) == 0
    with pytest.raises(ValueError, match="56 are needed"):
        by_context(Stale, model, lines[:, :50], (48,), stale=8)


def test_a_right_engine_leaves_nothing(lines: torch.Tensor) -> None:
    found = drift(SlotEngine, checkpoints.load("masked"), lines[:4], steps=5)
    assert found.errors.max() == 0 and not found.apart.any()


def test_too_short_lines_are_refused(lines: torch.Tensor) -> None:
    with pytest.raises(ValueError, match="40 are needed"):
        drift(Stale, checkpoints.load("masked"), lines[:, :30], steps=5)
