"""What holds for every exercise of the course, whatever it asks."""

from __future__ import annotations

import pytest

from sharedstate.checks import Registry
from sharedstate.checks.assess import assess
from sharedstate.checks.types import Case

REGISTRY = Registry()
ALL = [one for unit in REGISTRY.units() for one in REGISTRY.exercises(unit)]
FEW = ("01.2",)  # these have nothing to draw: the same cases for every seed
each = pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)


@each
def test_an_untouched_answer_is_called_untouched(one: object) -> None:
    assert assess(one, ...).reason == "untouched"


@each
def test_cases_are_the_same_for_the_same_seed_and_vary_with_it(one: object) -> None:
    assert one.cases(7) == one.cases(7)
    if one.id not in FEW:
        assert any(one.cases(7) != one.cases(seed) for seed in range(8, 12))
    assert any(case.visible for case in one.cases(7))
    assert all(Case.from_json(case.to_json()) == case for case in one.cases(7))
