"""The shrinker on cases whose smallest is known: numbers, lists, threads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sharedstate.influence.shrinking import NotFailing, fewer_calls, less, shrink, without
from sharedstate.interleave import Scenario
from sharedstate.passcodes import SpinChecker


def smaller(case: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    yield from without(case)


def test_two_parts_that_fail_together_are_found_among_a_thousand() -> None:
    shrunk = shrink(tuple(range(1000)), lambda case: {137, 731} <= set(case), smaller)
    assert shrunk.smallest == (137, 731)
    assert shrunk.finished and shrunk.runs < 300
    assert shrunk.path[0] == tuple(range(1000)) and shrunk.path[-1] == (137, 731)


def test_it_is_deterministic_and_tries_nothing_twice() -> None:
    asked: list[tuple[int, ...]] = []

    def fails(case: tuple[int, ...]) -> bool:
        asked.append(case)
        return sum(case) % 7 == 3

    first = shrink(tuple(range(40)) + (1,) * 3, lambda case: sum(case) >= 50, smaller)
    assert first == shrink(tuple(range(40)) + (1,) * 3, lambda case: sum(case) >= 50, smaller)
    shrink((1, 2, 3, 4, 7, 7), fails, smaller)
    assert len(asked) == len(set(asked))


def test_the_number_of_runs_is_bounded_and_said() -> None:
    shrunk = shrink(tuple(range(1000)), lambda case: {137, 731} <= set(case), smaller, runs=20)
    assert not shrunk.finished and shrunk.runs == 20
    assert {137, 731} <= set(shrunk.smallest)


def test_what_does_not_fail_is_refused() -> None:
    with pytest.raises(NotFailing):
        shrink((1, 2), lambda case: False, smaller)
    with pytest.raises(ValueError, match="number of runs"):
        shrink((1, 2), bool, smaller, runs=0)


def test_what_is_left_is_minimal() -> None:
    for least in range(2, 30):
        shrunk = shrink(30, lambda n, least=least: n >= least, less)
        assert shrunk.smallest == least
    assert [*without(())] == []
    assert [*without((1,))] == [()]
    assert [*less(1)] == []


def test_eight_threads_of_two_calls_become_two_of_one() -> None:
    crowd = {f"t{n}": ("s3cret", "guess") if n % 2 else ("guess", "guess") for n in range(8)}

    def lost(checker: object, answers: dict) -> bool:
        return any(given != [word == "s3cret" for word in words] for given, words in answers.values())

    def fails(case: tuple) -> bool:
        calls = {name: lambda c, words=words: ([c.check(word, ()) for word in words], words) for name, words in case}
        room = Scenario(SpinChecker, calls, never=lost)
        found = room.explore("random", executions=100, seconds=60, first=True, witness=False)
        return found.verdict == "broken"

    shrunk = shrink(tuple(crowd.items()), fails, lambda case: fewer_calls(dict(case)))
    assert len(shrunk.smallest) == 2
    assert sorted(words for _, words in shrunk.smallest) == [("guess",), ("s3cret",)]
