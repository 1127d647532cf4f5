"""Lab 05: every exercise's judge says the right thing, whatever it is sent."""

from __future__ import annotations

import pytest
import torch

from sharedstate.checks import Registry, assess, exercise, exercises
from sharedstate.model import region_mask, window_partition, window_reverse

ROOM = Registry().room("05.4").module()
LAYERS = ROOM.LAYERS
TENSOR = {"shape": [2], "dtype": "bool", "data": [True, False]}
JUNK = (
    None, True, 7, "yes", [], [1], ["a"] * 100, {}, {"answers": [True]}, [None, None], [[True, False]], [[0, 1, 2]],
    [[True, 1]], TENSOR, {**TENSOR, "shape": ["2"]}, {**TENSOR, "data": [[]]},
    {"parts": TENSOR, "joined": 1, "error": None},
    {"parts": None, "joined": None, "error": 7}, {"groups": [TENSOR, TENSOR], "result": TENSOR},
    {"groups": [{**TENSOR, "shape": [0, 3, 1], "data": []}] * 2, "result": None},
)  # fmt: skip
each = pytest.mark.parametrize("one", exercises("05"), ids=lambda one: one.id)


@each
@pytest.mark.parametrize("value", JUNK, ids=repr)
def test_no_value_that_a_child_may_send_is_accepted_or_breaks_the_judge(one: object, value: object) -> None:
    for case in one.cases(3):
        clean = one.id == "05.4" and value == [] and case.label == "each image's own mean"
        assert one.judge(case, value).ok is clean


@pytest.mark.parametrize("seed", range(12))
def test_the_packages_own_functions_are_right_answers(seed: int) -> None:
    windows = (window_partition, window_reverse)
    assert assess(exercise("05.1"), windows, seed).ok
    assert assess(exercise("05.2"), region_mask, seed).ok


def test_a_mask_is_judged_pair_by_pair_on_every_shape() -> None:
    one = exercise("05.2")
    for seed in range(6):
        for number in range(len(one.cases(seed))):
            for flipped in (0, -1):
                assert not one.judge(one.cases(seed)[number], _flipped(one, seed, number, flipped)).ok


def _flipped(one: object, seed: int, number: int, place: int) -> object:
    """The right mask with one entry exchanged."""
    case = one.cases(seed)[number]
    mask = region_mask(case["height"], case["width"], case["size"], case["shift"])
    flat = mask.reshape(-1)
    flat[place] = ~flat[place]
    return one.run(lambda *sizes: mask, case)


def test_the_message_names_the_pair_that_leaks() -> None:
    def everybody(height: int, width: int, size: int, shift: int) -> torch.Tensor:
        return torch.ones(height * width // size**2, size**2, size**2, dtype=torch.bool)

    verdict = assess(exercise("05.2"), everybody, 0)
    assert verdict.reason == "no-mask" and "448 leaks" in verdict.message and "across the image" in verdict.message


@pytest.mark.parametrize("label", [label for label in LAYERS if label != ROOM.CHANGED])  # that one leaks later
def test_each_planted_layer_leaks_where_it_says_and_nowhere_else(label: str) -> None:
    layer, leaks, _ = LAYERS[label]
    x = torch.rand(4, 3, 2, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    before, found = layer(x), set()
    for neighbour in range(4):
        for light in (-1e3, 1e3):
            changed = x.clone()
            changed[neighbour] = light
            after = layer(changed)
            found |= {(v, neighbour) for v in range(4) if v != neighbour and not torch.equal(after[v], before[v])}
    assert found == {(i, j) for i in range(4) for j in range(4) if i != j and leaks(i, j)}
    assert x.equal(torch.rand(4, 3, 2, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(1)))


def test_groups_may_stand_in_any_order() -> None:
    def axial(x: torch.Tensor, attend: object) -> torch.Tensor:
        columns = x.permute(2, 0, 1, 3)                                     # [W, B, H, C]
        x = attend(columns.flatten(0, 1).flip(0)).flip(0).view(columns.shape).permute(1, 2, 0, 3)
        return attend(x.flatten(0, 1)).unflatten(0, x.shape[:2])

    assert assess(exercise("05.3"), axial, 5).ok
