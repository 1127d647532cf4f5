"""Dynamic partial-order reduction: the outcomes of brute force, in one execution for each class.

The comparison is shown to catch the mistakes that are easily made in such a search, each of them silent.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from brute import brute
from hypothesis import given, settings
from test_brute_force import CHECK, PROGRAMS, RELAXED, THREE, TWO, plain, scenario

from sharedstate.interleave import Scenario, events
from sharedstate.interleave.search.dpor import Dpor

CLASSES = {
    "checker2": 16, "counter2": 4, "lcg2x2": 34, "lcg2x2 with a lock": 6, "checker2 with a lock": 2, "local": 1,
    "six lock orders": 6,
}  # fmt: skip


def compare(programs: list[list], slack: float = 1.0) -> None:
    """The same outcomes as brute force; as many executions as there are classes, within a factor."""
    _, outcomes = brute(programs).within()
    reduced = scenario(programs).explore("dpor", witness=False)
    assert plain(reduced.outcomes) == outcomes
    assert reduced.verdict == ("deadlock" if ("deadlock",) in outcomes else "proved")
    classes = scenario(programs).explore("all", witness=False).funnel().classes
    assert classes <= reduced.executions <= classes * slack
    assert reduced.funnel().classes == classes


@pytest.mark.parametrize("name", PROGRAMS)
def test_named_program(name: str) -> None:
    compare(PROGRAMS[name])
    if name in CLASSES:
        assert scenario(PROGRAMS[name]).explore("dpor", witness=False).executions == CLASSES[name]


def test_three_visitors() -> None:
    result = scenario([CHECK["right"], CHECK["wrong"], CHECK["wrong"]]).explore("dpor")
    assert result.verdict == "proved"
    assert result.coverage == "1,296 of 1,296 classes"
    assert 1296 <= result.executions <= 1296 * 1.05


def test_three_visitors_with_a_lock() -> None:
    locked = [[("lock", "LOCK_A", CHECK[who])] for who in ("right", "wrong", "wrong")]
    assert scenario(locked).explore("dpor").executions == 6


@settings(max_examples=80, derandomize=True, **RELAXED)
@given(TWO)
def test_generated_programs(programs: list[list]) -> None:
    compare(programs, slack=2.0)


@settings(max_examples=12, derandomize=True, **RELAXED)
@given(THREE)
def test_generated_programs_of_three_threads(programs: list[list]) -> None:
    compare(programs, slack=2.0)


@pytest.mark.exhaustive
@settings(max_examples=2000, **RELAXED)
@given(TWO)
def test_many_generated_programs(programs: list[list]) -> None:
    compare(programs, slack=2.0)


@pytest.mark.exhaustive
@settings(max_examples=150, **RELAXED)
@given(THREE)
def test_many_generated_programs_of_three_threads(programs: list[list]) -> None:
    compare(programs, slack=2.0)


def test_the_smallest_failing_schedule_is_still_the_smallest() -> None:
    """Representatives of classes seldom have the fewest preemptions: that is searched for by itself."""
    for name in ("checker2", "counter2", "lcg2x2", "checker2 half fixed"):
        _, outcomes = brute(PROGRAMS[name]).within()
        for outcome in sorted(outcomes, key=repr):

            def never(state: object, answers: dict, outcome: tuple = outcome) -> bool:
                return (tuple(answers.values()), tuple(getattr(state, f) for f in "xyz")) == outcome

            whole = scenario(PROGRAMS[name], never).explore("all").minimal
            small = scenario(PROGRAMS[name], never).explore("dpor").minimal
            assert (small.preemptions, len(small.steps)) == (whole.preemptions, len(whole.steps))
            assert small.confirmed


# -- questions about intermediate states ---------------------------------------------------------------


class Flags:
    """Two flags that are up for a moment."""

    x = y = 0

    def raise_x(self) -> None:
        """Up and down."""
        self.x = 1
        self.x = 0

    def raise_y(self) -> None:
        """Up and down."""
        self.y = 1
        self.y = 0


@pytest.mark.parametrize("strategy", ["all", "dpor"])
def test_a_property_of_every_step_is_not_reduced_away(strategy: str) -> None:
    """One class, and four of its six interleavings violate the property."""
    room = Scenario(
        setup=Flags,
        threads={"a": lambda s: s.raise_x(), "b": lambda s: s.raise_y()},
        always=lambda s: not (s.x and s.y),
    )
    assert room.explore(strategy).verdict == "broken"


def test_a_wait_loop_is_not_reduced_away() -> None:
    class Door:
        open = False
        seen = 0

        def wait(self) -> int:
            while not self.open:
                pass
            return self.seen

        def let_in(self) -> None:
            self.seen = 1
            self.open = True

    room = Scenario(setup=Door, threads={"guest": lambda s: s.wait(), "host": lambda s: s.let_in()})
    reduced, whole = room.explore("dpor"), room.explore("all")
    assert (reduced.verdict, reduced.outcomes) == (whole.verdict, whole.outcomes) == ("proved", {((1, None), None)})


# -- the comparison is shown to fail -------------------------------------------------------------------


def identities(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects are known by their address, which means another object in the next execution."""
    begin, number, round_ = Dpor.begin, events.Kinds.number, [0]

    def counted(self: Dpor, run: object) -> None:
        round_[0] += 1
        begin(self, run)

    def by_address(self: events.Kinds, event: events.Event) -> int:
        touched = event.touched
        event.touched = tuple((((round_[0], key[0]), key[1]), mode) for key, mode in touched)
        try:
            return number(self, event)
        finally:
            event.touched = touched

    monkeypatch.setattr(Dpor, "begin", counted)
    monkeypatch.setattr(events.Kinds, "number", by_address)


def start_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start of a thread counts as an access that conflicts with all that came before."""
    known = events.History.known

    def late(self: events.History, thread: str) -> int:
        return known(self, thread) if self.of_thread.get(thread) else (1 << len(self.events)) - 1

    monkeypatch.setattr(events.History, "known", late)


def unlock_races(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unlock is taken for a rival of the next lock, and hides the lock before it."""
    monkeypatch.setattr(events, "apart", lambda first, second: False)
    monkeypatch.setattr(events, "hides", lambda event, rival: not event.gated)


def never_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that sleeps goes on sleeping after a step that conflicts with its own."""
    arrive = Dpor.arrive

    def asleep(self: Dpor, enabled: list) -> object:
        node = arrive(self, enabled)
        if self.nodes and node is not None:
            before = self.nodes[-1]
            node.sleep |= {n: e for n, e in (before.sleep | before.done).items() if n != node.chosen}
        return node

    monkeypatch.setattr(Dpor, "arrive", asleep)


@pytest.mark.parametrize("mistake", [identities, start_conflicts, unlock_races, never_woken])
def test_each_silent_mistake_is_caught(mistake: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    for programs in PROGRAMS.values():
        compare(programs)
    mistake(monkeypatch)
    caught = []
    for name, programs in PROGRAMS.items():
        try:
            compare(programs)
        except AssertionError:
            caught.append(name)
    assert caught
