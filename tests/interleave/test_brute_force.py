"""The most important test of the repository: the explorer against an independent brute force.

Number of interleavings, set of outcomes, outcomes within each number of preemptions and the smallest number
of preemptions for an outcome: all must be equal. The same comparison is shown to fail on broken searches.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

import pytest
from brute import FIELDS, State, brute, functions, ready
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sharedstate.interleave import Scenario
from sharedstate.interleave.search.all import All, Branching
from sharedstate.interleave.search.preemptions import Preemptions

NAMES = itertools.count()

CHECK = {
    who: [("write", "x", value), ("read", "x", "b"), ("if", "b", 1, [("write", "y", 1)], [("write", "y", 0)]),
          ("read", "y", "r")]
    for who, value in (("right", 1), ("wrong", 2))
}  # fmt: skip
ADD = [("read", "x", "a"), ("add", "x", "a", 1)]
DRAW = [("read", "x", "a"), ("add", "x", "a", 5), ("read", "x", "b"), ("add", "x", "b", 7)]
ONCE = [("lock", "LOCK_A", [("write", "x", 1)])]
PROGRAMS = {
    "checker2": [CHECK["right"], CHECK["wrong"]],
    "counter2": [ADD, ADD],
    "counter3": [ADD, ADD, ADD],
    "lcg2x2": [DRAW, DRAW],
    "checker2 with a lock": [[("lock", "LOCK_A", CHECK[who])] for who in ("right", "wrong")],
    "lcg2x2 with a lock": [[("lock", "LOCK_A", DRAW[:2]), ("lock", "LOCK_A", DRAW[2:])]] * 2,
    "checker2 half fixed": [
        [("lock", "LOCK_A", CHECK[who][:1]), ("lock", "LOCK_A", CHECK[who][1:])] for who in ("right", "wrong")
    ],
    "six lock orders": [[("lock", "LOCK_A", [("read", "z", "a"), ("add", "z", "a", n)])] * 2 for n in (1, 10)],
    "deadlock": [
        [("lock", "LOCK_A", [("lock", "LOCK_B", [("write", "x", 1)])])],
        [("lock", "LOCK_B", [("lock", "LOCK_A", [("write", "x", 2)])])],
    ],
    "local": [[("read", "z", "a")], [("read", "z", "a")]],
}


def scenario(programs: list[list], never: Callable | None = None) -> Scenario:
    """The explorer's view of the programs."""
    made = functions(programs, f"<brute {next(NAMES)}>")
    threads = {f"t{i}": function for i, function in enumerate(made)}
    return Scenario(setup=State, threads=threads, never=never, observe=lambda s: tuple(getattr(s, f) for f in FIELDS))


def plain(outcomes: frozenset) -> set:
    """Outcomes as the brute force writes them."""
    return {("deadlock",) if o[0] == "deadlock" else o for o in outcomes}


def compare(programs: list[list], bounds: range = range(4)) -> None:
    """Hold the explorer to the brute force in everything that it counts."""
    seen = brute(programs)
    explored = scenario(programs).explore("all", witness=False)
    count, outcomes = seen.within()
    assert explored.executions == count
    assert plain(explored.outcomes) == outcomes
    assert explored.verdict == ("deadlock" if ("deadlock",) in outcomes else "proved")
    for bound in bounds:
        bounded = scenario(programs).explore("preemptions", preemptions=bound, witness=False)
        assert (bounded.executions, plain(bounded.outcomes)) == seen.within(bound), bound
    for outcome in sorted(outcomes, key=repr)[:2]:
        check_fewest(programs, seen, outcome)


def check_fewest(programs: list[list], seen: object, outcome: tuple) -> None:
    """The smallest failing schedule for "never this outcome" has the smallest number of preemptions."""
    if outcome == ("deadlock",):
        result = scenario(programs).explore("all")
    else:

        def never(state: State, answers: dict) -> bool:
            return (tuple(answers.values()), tuple(getattr(state, f) for f in FIELDS)) == outcome

        result = scenario(programs, never).explore("all")
        assert result.verdict == "broken"
    assert result.minimal.preemptions == seen.fewest(outcome)
    assert result.minimal.confirmed


@pytest.mark.parametrize("name", PROGRAMS)
def test_named_program(name: str) -> None:
    compare(PROGRAMS[name])


def test_numbers_of_the_specification() -> None:
    """Interleavings of conflicting accesses, and classes, by brute force and by the explorer."""
    table = {"checker2": (70, 16), "counter2": (6, 4), "lcg2x2": (70, 34), "lcg2x2 with a lock": (None, 6),
             "checker2 with a lock": (None, 2), "local": (1, 1), "six lock orders": (None, 6)}  # fmt: skip
    for name, (orders, classes) in table.items():
        funnel = scenario(PROGRAMS[name]).explore("all").funnel()
        assert funnel.classes == classes, name
        if orders is not None:
            assert funnel.conflicting == orders, name


# -- generated programs -------------------------------------------------------------------------------

VALUE = st.integers(0, 2)
REGISTER = st.sampled_from("ab")
SHARED = st.sampled_from(FIELDS)
ACCESS = st.one_of(
    st.tuples(st.just("write"), SHARED, VALUE),
    st.tuples(st.just("read"), SHARED, REGISTER),
    st.tuples(st.just("add"), SHARED, REGISTER, VALUE),
)


def block(inner: st.SearchStrategy) -> st.SearchStrategy:
    """Locks and conditionals around other instructions."""
    body = st.lists(inner, min_size=0, max_size=3)
    return st.one_of(
        st.tuples(st.just("lock"), st.just("LOCK_A"), body),
        st.tuples(st.just("lock"), st.just("LOCK_B"), body),
        st.tuples(st.just("if"), REGISTER, VALUE, body, body),
    )


def size(program: list) -> int:
    """The largest number of accesses."""
    total = 0
    for kind, _, *rest in program:
        total += {"lock": lambda r: 2 + size(r[0]), "if": lambda r: max(size(r[1]), size(r[2]))}.get(
            kind, lambda r: 1
        )(rest)
    return total


def moves(program: list) -> bool:
    """True if the program makes an access when it runs alone."""
    return brute([program]).within()[0] > 0 and bool(ready(tuple(program), {}))


def reenters(program: list, held: tuple = ()) -> bool:
    """True if a program takes a lock that it holds: always a deadlock, so not interesting."""
    return any(
        (kind == "lock" and (name in held or reenters(rest[0], (*held, name))))
        or (kind == "if" and (reenters(rest[1], held) or reenters(rest[2], held)))
        for kind, name, *rest in program
    )


def program(most: int) -> st.SearchStrategy:
    """A thread with at most this many accesses."""
    instruction = st.recursive(ACCESS, block, max_leaves=4)
    whole = st.lists(instruction, min_size=1, max_size=most)
    return whole.filter(lambda p: size(p) <= most and moves(p) and not reenters(p))


TWO = st.lists(program(6), min_size=2, max_size=2)
THREE = st.lists(program(3), min_size=3, max_size=3)
RELAXED = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=60, derandomize=True, **RELAXED)
@given(TWO)
def test_generated_programs(programs: list[list]) -> None:
    compare(programs)


@settings(max_examples=6, derandomize=True, **RELAXED)
@given(THREE)
def test_generated_programs_of_three_threads(programs: list[list]) -> None:
    compare(programs, range(3))


@pytest.mark.exhaustive
@settings(max_examples=2000, **RELAXED)
@given(TWO)
def test_many_generated_programs(programs: list[list]) -> None:
    compare(programs, range(3))


@pytest.mark.exhaustive
@settings(max_examples=200, **RELAXED)
@given(THREE)
def test_many_generated_programs_of_three_threads(programs: list[list]) -> None:
    compare(programs, range(3))


# -- the comparison is shown to fail ------------------------------------------------------------------


def forgetful(later: Callable) -> Callable:
    """A search that does not go back to one place: the third branch of every run is lost."""
    calls: Counter = Counter()

    def broken(self: Branching, run: object, preempts: bool, item: tuple) -> None:
        calls[id(self), self.prefix] += 1
        if calls[id(self), self.prefix] != 3:
            later(self, run, preempts, item)

    return broken


def generous(later: Callable) -> Callable:
    """A search that counts one preemption at most."""

    def broken(self: Branching, run: object, preempts: bool, item: tuple) -> None:
        counted, run.preemptions = run.preemptions, 0
        later(self, run, preempts or counted > 0, item)
        run.preemptions = counted

    return broken


def sleepy(later: Callable) -> Callable:
    """A search that prunes under a bound: two neighbouring steps are taken in one order only."""

    def broken(self: Branching, run: object, preempts: bool, item: tuple) -> None:
        if len(item[0]) < 2 or item[0][-1] >= item[0][-2]:
            later(self, run, preempts, item)

    return broken


@pytest.mark.parametrize("breaker", [forgetful, generous, sleepy])
def test_a_broken_search_is_caught(breaker: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    for strategy in (All, Preemptions):
        monkeypatch.setattr(strategy, "later", breaker(strategy.later))
    caught = 0
    for name in ("checker2", "counter2", "counter3", "checker2 with a lock", "deadlock"):
        try:
            compare(PROGRAMS[name])
        except AssertionError:
            caught += 1
    assert caught >= 3
