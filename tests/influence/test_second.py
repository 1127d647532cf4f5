"""A second call alone, and after a first: what stays behind is seen, and the asking leaves nothing itself."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable

import pytest

from sharedstate.influence import second_call
from sharedstate.influence.second import process_put_back


def keeps() -> Callable[[object], object]:
    """Answer with the calls so far."""
    seen: list[object] = []

    def serve(call: object) -> object:
        seen.append(call)
        if call == "fails":
            raise ValueError(len(seen))
        return seen

    return serve


def test_what_a_first_call_leaves_is_seen() -> None:
    found = second_call(keeps, "a", "b")
    assert found.leaks and (found.alone, found.after) == ("['b']", "['a', 'b']")
    assert str(found).startswith("LEAK")


def test_a_service_that_keeps_nothing_is_isolated() -> None:
    found = second_call(lambda: lambda call: [call], "a", "b")
    assert not found.leaks and str(found).startswith("isolated")


@pytest.mark.parametrize(
    ("first", "second", "after"), [("fails", "b", "['fails', 'b']"), ("a", "fails", "ValueError: 2")])
def test_a_call_that_raises_leaves_things_and_answers(first: str, second: str, after: str) -> None:
    found = second_call(keeps, first, second)
    assert found.leaks and found.after == after


def test_the_process_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_OLD", "was")
    drawn, out = random.getstate(), sys.stdout
    with pytest.raises(KeyError), process_put_back():
        os.environ["SHOP_NEW"] = "now"
        del os.environ["SHOP_OLD"]
        sys.stdout = sys.stderr
        random.seed(1)
        raise KeyError
    assert os.environ["SHOP_OLD"] == "was" and "SHOP_NEW" not in os.environ
    assert random.getstate() == drawn and sys.stdout is out
