"""Real threads that choose the next one themselves: the same schedules and outcomes as with one step at a time."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from test_brute_force import PROGRAMS, scenario

from sharedstate.interleave import Scenario
from sharedstate.interleave.blocking import NotModelled
from sharedstate.interleave.findings import Budget, Findings
from sharedstate.interleave.search import Search
from sharedstate.interleave.threads import ThreadRun

COUNT = 40


def sampled(room: Scenario, real: bool, depth: int = 0) -> Findings:
    """Random schedules (with a depth: PCT), on real threads or on generators."""
    engine = room._engine
    room.explore("random", executions=1)
    make = engine.make_real if real else engine.make
    with engine.threads():
        search = Search(lambda: make(record=False), engine.questions, Budget(COUNT, 60.0), len(engine.program.written))
        return search.pct(5, depth) if depth else search.random(5)


def same(make: Callable[[], Scenario], depth: int = 0) -> Findings:
    """The executions are equal, one by one."""
    code, real = sampled(make(), real=False, depth=depth), sampled(make(), real=True, depth=depth)
    assert real.kept == code.kept
    assert real.logs == code.logs
    assert real.executions == COUNT
    return real


@pytest.mark.parametrize("name", PROGRAMS)
def test_named_program(name: str) -> None:
    same(lambda: scenario(PROGRAMS[name]))


def test_priorities() -> None:
    same(lambda: scenario(PROGRAMS["lcg2x2"]), depth=3)


class Door:
    """A flag that is waited for, and a number that a child counts up."""

    def __init__(self) -> None:
        self.open, self.n = False, 0

    def wait(self) -> int:
        """Until it is open."""
        while not self.open:
            pass
        return self.n

    def let_in(self) -> None:
        """Open it."""
        self.n += 1
        self.open = True

    def child(self) -> int:
        """Count in a thread of its own."""
        thread = threading.Thread(target=self.up)
        thread.start()
        self.n += 1
        thread.join()
        return self.n

    def up(self) -> None:
        """One more."""
        self.n += 1


def test_what_needs_the_search_goes_back_to_it() -> None:
    """A wait loop is woken, and a child begun, by the search itself."""
    threads = {"guest": lambda d: d.wait(), "host": lambda d: d.let_in(), "parent": lambda d: d.child()}
    same(lambda: Scenario(setup=Door, threads=threads))


def test_most_steps_are_handed_on_by_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {"search": 0, "all": 0}
    carry_on, chosen = ThreadRun.carry_on, ThreadRun._chosen

    def carried(self: ThreadRun, thread: Any) -> None:
        calls["search"] += thread.site is not None
        carry_on(self, thread)

    def counted(self: ThreadRun, thread: Any) -> int:
        index = chosen(self, thread)
        calls["all"] += index >= 0
        return index

    monkeypatch.setattr(ThreadRun, "carry_on", carried)
    monkeypatch.setattr(ThreadRun, "_chosen", counted)
    sampled(scenario(PROGRAMS["lcg2x2"]), real=True)
    assert calls["search"] == COUNT  # the first step of each schedule
    assert calls["all"] > 5 * COUNT


def test_an_error_in_a_choice_reaches_the_search() -> None:
    room = scenario(PROGRAMS["lcg2x2"])
    engine = room._engine
    room.explore("random", executions=1)

    def choose(run: Any, enabled: list[int]) -> int:
        if len(run.schedule) == 3:
            raise KeyError("a chooser that fails")
        return enabled[0]

    with engine.threads():
        search = Search(lambda: engine.make_real(record=False), engine.questions, Budget(5, 60.0), 0)
        with pytest.raises(KeyError, match="a chooser that fails"):
            search._sample(choose)
        search.close()
        assert sampled(room, real=True).executions == COUNT


def test_a_refusal_in_the_second_thread_is_raised() -> None:
    def refers(door: Door) -> None:
        door.n += 1
        weakref.ref(door)()

    room = Scenario(setup=Door, threads={"a": lambda d: d.up(), "b": refers})
    engine = room._engine
    with engine.threads():
        search = Search(lambda: engine.make_real(record=False), engine.questions, Budget(5, 60.0), 0)
        with pytest.raises(NotModelled, match="weak references"):
            search._sample(lambda run, enabled: enabled[0])
        search.close()
