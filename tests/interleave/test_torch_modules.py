"""torch's modules ask for much that is not there, and tensors are answers."""

from __future__ import annotations

import torch

from sharedstate.interleave import Scenario


class Bare:
    """Has no fields yet."""


def test_a_look_for_what_is_not_there_meets_only_who_writes_it() -> None:
    def looks(box: Bare) -> int:
        return getattr(box, "found", 0)

    def writes(box: Bare) -> None:
        box.found = 1

    def elsewhere(box: Bare) -> None:
        box.other = 1

    alone = Scenario(Bare, {"a": looks, "b": elsewhere}, never=lambda box, answers: answers["a"] == 1).explore()
    assert (alone.verdict, alone.coverage) == ("proved", "the only class")
    met = Scenario(Bare, {"a": looks, "b": writes}, never=lambda box, answers: answers["a"] == 1).explore()
    assert met.verdict == "broken"


class Module(torch.nn.Module):
    """Keeps its input on itself, through torch's own __setattr__ and __call__."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.kept = x
        return self.kept


def test_tensors_with_equal_numbers_are_one_answer() -> None:
    result = Scenario(
        Module, {"a": lambda m: m(torch.ones(1)), "b": lambda m: m(2 * torch.ones(1))}, never=lambda m, answers: False
    ).explore()
    assert (result.verdict, result.coverage, len(result.outcomes)) == ("proved", "16 of 16 classes", 3)
