"""Two threads at one allocator: the rooms see what the lesson's classes do, and prove what is right."""

from __future__ import annotations

import threading

import pytest

from sharedstate.faults import unit08
from sharedstate.faults.lesson import load
from sharedstate.interleave import Scenario
from sharedstate.kvcache import races, stories
from sharedstate.kvcache.block_cases import BLOCK_CASES
from sharedstate.kvcache.paged_engine import PagedEngine

MOST_STEPS = 12
PAIRS = (
    ("alloc-check-then-act", "taking", "LooksThenTakes", "TakesUnderLock"),
    ("alloc-lost-count", "counting", "CountsBare", "CountsUnderLock"),
    ("alloc-free-while-mapped", "leaving", "FreesWhatIsFound", "FreesUnderLock"),
    ("alloc-publish-first", "publishing", "PublishesFirst", "WritesFirst"),
)  # fmt: skip


@pytest.mark.parametrize(("fault", "room", "broken", "fixed"), PAIRS)
def test_shown_with_one_preemption_on_real_threads_fixed_and_proved(
    fault: str, room: str, broken: str, fixed: str
) -> None:
    names = load(unit08.UNIT, fault, fix=True).make()
    found = getattr(races, room)(names[broken]).explore("dpor")
    assert found.verdict == "broken" and found.minimal is not None and found.minimal.confirmed
    assert found.minimal.preemptions == 1 and len(found.minimal.steps) <= MOST_STEPS
    proved = getattr(races, room)(names[fixed]).explore("dpor")
    assert proved.verdict == "proved" and not proved.assumptions


class Pool:
    """A pool's books under one lock; with `apart`, look and take are two sections."""

    def __init__(self, apart: bool) -> None:
        self.lock, self.free, self.ref_cnt, self.apart = threading.Lock(), [1, 2], [0, 0, 0], apart

    def take(self) -> int | None:
        with self.lock:
            block = self.free[0] if self.free else None
            if not self.apart:
                return self._out(block)
        with self.lock:
            return self._out(block)

    def _out(self, block: int | None) -> int | None:
        if block is not None:
            self.free = [one for one in self.free if one != block]
            self.ref_cnt[block] += 1
        return block


@pytest.mark.parametrize(("apart", "verdict"), [(False, "proved"), (True, "broken")])
def test_a_lock_that_is_given_up_between_look_and_take_does_not_help(apart: bool, verdict: str) -> None:
    calls = {"alice": lambda pool: pool.take(), "bob": lambda pool: pool.take()}
    scenario = Scenario(lambda: Pool(apart), calls, never=lambda pool, answers: answers["alice"] == answers["bob"])
    assert scenario.explore("dpor", witness=False).verdict == verdict


@pytest.mark.parametrize("name", BLOCK_CASES)
def test_every_bug_is_seen_by_the_oracles_named_and_by_no_other_in_vain(name: str) -> None:
    variant = load(unit08.UNIT, name).make()[unit08.BUGS[name].variant]
    seen = stories.judge(variant, BLOCK_CASES[name].minimal).sees
    assert seen["alone"] and all(seen[oracle] for oracle in unit08.BUGS[name].oracles)
    assert not stories.judge(variant, BLOCK_CASES[name].silent, ("alone",)).sees["alone"]
    assert stories.judge(PagedEngine, BLOCK_CASES[name].minimal).quiet
