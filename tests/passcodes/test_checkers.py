"""What the checkers answer alone, and what they answer when the interleaving is forced."""

from __future__ import annotations

import inspect
import threading

import pytest

from sharedstate.passcodes import RIGHT, WRONG, count_forced, force_by_event, force_by_trace
from sharedstate.passcodes.checkers import (
    CHECKERS,
    FIXED,
    RACY,
    WITH_GAP,
    ImmutableChecker,
    LockChecker,
    SpinChecker,
)
from sharedstate.passcodes.seams import SeamMissed, decision_line

ISOLATED = [name for name in FIXED if name != "lock"]


@pytest.mark.parametrize("name", CHECKERS)
def test_alone_every_checker_is_right(name: str) -> None:
    checker = CHECKERS[name]()
    assert [checker.check(c) for c in (RIGHT, WRONG, RIGHT, "")] == [True, False, True, False]


def test_event_seam_lets_the_wrong_passcode_in_every_time(exhaustive: bool) -> None:
    rounds = 1000 if exhaustive else 200
    assert count_forced(rounds).false_accepts == rounds


@pytest.mark.parametrize("name", RACY)
def test_every_racy_checker_fails_unmodified_when_its_thread_is_parked(name: str) -> None:
    count = count_forced(20, RACY[name], force_by_trace)
    assert (count.false_accepts, count.blocked) == (20, 0)


def test_the_right_passcode_is_refused_just_as_surely() -> None:
    forced = force_by_event(SpinChecker(), victim=RIGHT, intruder=WRONG)
    assert (forced.victim, forced.intruder) == (False, False)


@pytest.mark.parametrize("force", [force_by_event, force_by_trace])
@pytest.mark.parametrize("name", ISOLATED)
def test_isolated_versions_hold_under_the_same_seam(name: str, force) -> None:
    forced = [force(FIXED[name]()) for _ in range(20)]
    assert {(f.victim, f.intruder, f.blocked) for f in forced} == {(False, True, False)}


@pytest.mark.parametrize("force", [force_by_event, force_by_trace])
def test_a_lock_makes_the_second_thread_wait(force) -> None:
    forced = force(LockChecker(), patience=0.1)
    assert (forced.victim, forced.intruder, forced.blocked) == (False, True, True)


def test_a_lock_of_its_own_for_each_call_does_not_hold() -> None:
    class NewLockPerCall(LockChecker):
        def check(self, candidate, gap=()):
            self.lock = threading.Lock()
            return super().check(candidate, gap)

    assert force_by_event(NewLockPerCall()).victim is True


def test_a_checker_that_ignores_its_gap_is_reported() -> None:
    class Deaf(SpinChecker):
        def check(self, candidate, gap=()):
            return candidate == self.correct

    with pytest.raises(SeamMissed, match="gap argument"):
        force_by_event(Deaf())


def test_an_exception_in_the_victim_is_raised_here() -> None:
    class Broken(SpinChecker):
        def check(self, candidate, gap=()):
            raise LookupError("no passcode file")

    with pytest.raises(LookupError, match="no passcode file"):
        force_by_event(Broken())


def test_without_a_comparison_there_is_no_line_to_park_at() -> None:
    with pytest.raises(SeamMissed, match="give the line"):
        decision_line(lambda: None)


def test_nobody_can_write_to_the_immutable_checker() -> None:
    checker = ImmutableChecker()
    with pytest.raises(AttributeError, match="immutable"):
        checker.result = True


def test_with_gap_names_the_checkers_that_take_one() -> None:
    takes = {name for name, c in CHECKERS.items() if "gap" in inspect.signature(c.check).parameters}
    assert takes == set(WITH_GAP)
