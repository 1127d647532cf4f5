"""An exploration in parts: the same result with one worker and with four, with threads and with processes."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from test_brute_force import CHECK, PROGRAMS, RELAXED, TWO, scenario

from sharedstate.interleave import Scenario
from sharedstate.interleave.execution import ScenarioError
from sharedstate.interleave.result import Result

STRATEGIES = ("all", "dpor", "preemptions", "random", "pct")


@pytest.fixture(scope="module")
def pools() -> Iterator[list[concurrent.futures.Executor]]:
    """One worker and four, as threads: cutting, packing and merging are the same as with processes."""
    with concurrent.futures.ThreadPoolExecutor(1) as one, concurrent.futures.ThreadPoolExecutor(4) as four:
        yield [one, four]


def facts(result: Result) -> tuple:
    """What a result says at once; its shortest schedule and its funnel are work for themselves."""
    return (
        result.verdict, result.coverage, result.executions, result.outcomes, dict(result.counts), result.assumptions,
    )  # fmt: skip


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", ["checker2", "counter3", "checker2 half fixed", "deadlock"])
def test_the_number_of_workers_does_not_matter(name: str, strategy: str, pools: list) -> None:
    options: dict[str, Any] = {"executions": 10} if strategy in ("random", "pct") else {}
    one, four = (scenario(PROGRAMS[name]).explore(strategy, executor=pool, **options) for pool in pools)
    assert facts(one) == facts(four)
    if strategy in ("all", "dpor", "preemptions"):
        alone = scenario(PROGRAMS[name]).explore(strategy)
        assert (four.verdict, four.outcomes, four.coverage) == (alone.verdict, alone.outcomes, alone.coverage)
        assert four.funnel().classes == alone.funnel().classes


@settings(max_examples=12, derandomize=True, **RELAXED)
@given(TWO)
def test_generated_programs_in_parts(programs: list[list]) -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for strategy in ("all", "dpor"):
            alone = scenario(programs).explore(strategy, witness=False)
            parts = scenario(programs).explore(strategy, executor=pool, witness=False)
            assert (parts.verdict, parts.coverage, parts.outcomes) == (alone.verdict, alone.coverage, alone.outcomes)


def test_three_visitors_in_parts(pools: list) -> None:
    programs = [CHECK["right"], CHECK["wrong"], CHECK["wrong"]]
    results = [scenario(programs).explore("dpor", executor=pool) for pool in pools]
    assert facts(results[0])[:4] == facts(results[1])[:4]
    assert results[0].coverage == "1,296 of 1,296 classes"
    assert results[0].executions <= 1296 * 1.05


def test_processes_get_the_source_of_a_cell() -> None:
    """Functions that exist in no file (a notebook's cell) travel to other processes with their source."""

    def never(state: object, answers: dict) -> bool:
        return answers["t0"] == answers["t1"]

    alone = scenario(PROGRAMS["counter2"], never).explore("all")
    two = scenario(PROGRAMS["counter2"], never).explore("all", workers=2)
    assert facts(two)[:4] == facts(alone)[:4]
    assert two.minimal.schedule == alone.minimal.schedule


TOTAL = 0


def add_global() -> None:
    """A shared global: no worker can know what the others share."""
    global TOTAL
    TOTAL += 1


def reset() -> None:
    """From zero."""
    global TOTAL
    TOTAL = 0


def test_shared_globals_are_searched_in_one_piece(pools: list) -> None:
    def room() -> Scenario:
        return Scenario(
            setup=reset, threads={"a": lambda s: add_global(), "b": lambda s: add_global()}, observe=lambda s: TOTAL
        )

    assert room().explore("all", executor=pools[1]).outcomes == room().explore("all").outcomes == {
        ((None, None), 1), ((None, None), 2)
    }  # fmt: skip


def test_wrong_arguments() -> None:
    room = scenario(PROGRAMS["local"])
    for workers in (0, "two"):
        with pytest.raises(ScenarioError, match="number of workers"):
            room.explore(workers=workers)


def test_code_that_cannot_travel(pools: list) -> None:
    running = (number for number in range(3))
    room = Scenario(setup=lambda: running, threads={"a": lambda s: 1, "b": lambda s: 2})
    with pytest.raises(ScenarioError, match="cannot be sent to a worker"):
        room.explore("random", executor=pools[0], executions=2)
