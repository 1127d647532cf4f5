"""The checker and its fixes, schedules by hand, tokens, sessions, the funnel."""

from __future__ import annotations

import gc
import linecache
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import programs
import pytest
from programs import Checker, Counter, HalfLocalChecker, LockCounter, Philosophers, Toggles

from sharedstate.interleave import Scenario
from sharedstate.interleave.execution import Questions, ScenarioError
from sharedstate.interleave.findings import Budget
from sharedstate.interleave.search.all import All
from sharedstate.interleave.search.driver import Search
from sharedstate.interleave.source.tokens import TokenRefused


def wrong_passes(state: Checker, answers: dict) -> bool:
    """The first invariant, broken."""
    return answers["mallory"]


def somebody_else(state: Checker, answers: dict) -> bool:
    """The second invariant, broken: not every caller got its own answer."""
    return answers != {"alice": True, "mallory": False}


def room(cls: type = Checker, never: Callable = wrong_passes, **more: Any) -> Scenario:
    """Alice knows the passcode, Mallory guesses."""
    return Scenario(
        setup=lambda: cls("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=never,
        **more,
    )


def test_checker_exactly() -> None:
    result = room().explore("all")
    assert (result.verdict, result.coverage, result.executions) == ("broken", "all 252 interleavings", 252)
    assert result.outcomes == {((True, False), None), ((True, True), None), ((False, False), None)}
    assert result.counts == {((True, False), None): 52, ((True, True), None): 100, ((False, False), None): 100}
    assert result.assumptions == ()


def test_minimal_schedule_of_the_checker() -> None:
    trace = room().explore("all").minimal
    assert (trace.preemptions, trace.switches, len(trace.steps)) == (1, 2, 10)
    assert trace.confirmed and trace.violated and trace.finished and trace.verdict == "broken"
    assert sum(step.switch for step in trace.steps) == 2
    assert sum(step.preemption for step in trace.steps) == 1
    blamed = [step for step in trace.steps if step.blame]
    assert [(s.thread, s.kind, s.target) for s in blamed] == [
        ("alice", "write", "Checker.input_buffer"),
        ("mallory", "read", "Checker.input_buffer"),
    ]
    assert blamed[0].value == blamed[1].value == "'s3cret'"
    assert blamed[0].source == "self.input_buffer = candidate"
    assert blamed[0].where == f"programs.py, line {blamed[0].line}"


@pytest.mark.parametrize("name", ["LockChecker", "LocalChecker", "ThreadLocalChecker"])
def test_fixes_have_no_failing_schedule(name: str) -> None:
    result = room(getattr(programs, name), somebody_else).explore("preemptions", preemptions=2)
    assert result.verdict in ("bounded", "proved")
    assert result.minimal is None
    assert result.outcomes == {((True, False), None)}


@pytest.mark.parametrize("name", ["LockChecker", "LocalChecker"])
def test_small_fixes_are_proved(name: str) -> None:
    assert room(getattr(programs, name), somebody_else).explore("all").verdict == "proved"


@pytest.mark.parametrize("name", ["SplitLockChecker", "NewLockChecker", "HalfLocalChecker"])
def test_half_fixes_are_broken(name: str) -> None:
    result = room(getattr(programs, name), somebody_else).explore("preemptions")
    assert result.verdict == "broken"
    assert result.minimal.preemptions == 1
    assert result.minimal.confirmed


def test_a_lock_for_every_call_is_named_after_its_maker() -> None:
    steps = room(programs.NewLockChecker).explore("preemptions").minimal.steps
    assert {s.target for s in steps if s.kind == "acquire"} == {"alice's lock 1", "mallory's lock 1"}


@pytest.mark.parametrize("strategy", ["random", "pct"])
def test_sampling_repeats_itself(strategy: str) -> None:
    runs = [room().explore(strategy, executions=60, seed=3, depth=2) for _ in range(2)]
    assert runs[0].counts == runs[1].counts
    assert runs[0].verdict == "broken"
    assert runs[0].minimal.preemptions == 1
    assert room(programs.LockChecker).explore(strategy, executions=20).verdict == "ran out"


@pytest.mark.parametrize("strategy", ["random", "pct"])
def test_samples_are_real_schedules(strategy: str) -> None:
    assert room().explore(strategy, executions=200).outcomes == room().explore("all").outcomes


def test_budgets() -> None:
    result = room(programs.LockChecker).explore("all", executions=5)
    assert (result.verdict, result.coverage) == ("ran out", "ran out after 5 executions")
    assert room(programs.ThreadLocalChecker).explore("all", seconds=0.05).verdict == "ran out"
    first = room().explore(first=True)
    assert first.verdict == "broken"
    assert first.executions < 252
    assert first.minimal.preemptions == 1


def test_always_looks_at_every_step() -> None:
    toggles = {"a": lambda t: t.first(), "b": lambda t: t.second()}
    for strategy in ("all", "preemptions"):
        result = Scenario(Toggles, toggles, always=lambda t: not (t.x and t.y)).explore(strategy)
        assert result.verdict == "broken"
        assert len(result.minimal.steps) == 2
    assert Scenario(Toggles, toggles, never=lambda t, a: t.x and t.y).explore("all").verdict == "proved"


def test_always_is_asked_at_the_start_too() -> None:
    result = Scenario(Counter, {"a": lambda c: c.add()}, always=lambda c: c.n > 0).explore("all")
    assert result.verdict == "broken"


def test_observe_is_part_of_the_outcome() -> None:
    threads = {"a": lambda c: c.add(), "b": lambda c: c.add()}
    assert {o for _, o in Scenario(Counter, threads, observe=lambda c: c.n).explore("all").outcomes} == {1, 2}
    assert {o for _, o in Scenario(LockCounter, threads, observe=lambda c: c.n).explore("all").outcomes} == {2}


def test_deadlock_says_who_waits_for_whom() -> None:
    threads = {"a": lambda p: p.eat("left", "right"), "b": lambda p: p.eat("right", "left")}
    result = Scenario(Philosophers, threads).explore("all")
    assert result.verdict == "deadlock"
    waits = (
        ("a", "waits for Philosophers.right, held by b"),
        ("b", "waits for Philosophers.left, held by a"),
    )
    assert ("deadlock", waits) in result.outcomes
    assert (result.minimal.preemptions, result.minimal.verdict, result.minimal.confirmed) == (1, "deadlock", True)
    assert [s.kind for s in result.minimal.steps[-2:]] == ["blocked", "blocked"]


def test_one_lock_taken_twice_is_a_deadlock() -> None:
    result = Scenario(Philosophers, {"a": lambda p: p.eat("left", "left")}).explore("all")
    assert result.verdict == "deadlock"
    assert result.minimal.confirmed


@pytest.mark.parametrize("name", ["Checker", "LockChecker", "SplitLockChecker", "HalfLocalChecker"])
def test_every_explored_schedule_ends_the_same_on_real_threads(name: str) -> None:
    engine = room(getattr(programs, name))._engine
    search = Search(engine.make, Questions(), Budget(10_000, 60.0), 0)
    seen = set(search.explore(All(search.found)).kept)
    with engine.threads():
        assert all(engine.confirm(schedule) for schedule in seen)
    assert len(seen) == search.found.executions


def test_what_real_threads_do_otherwise_is_not_confirmed() -> None:
    def how_many(c: Counter) -> int:
        c.n += 1
        return threading.active_count()

    trace = Scenario(Counter, {"a": how_many, "b": how_many}).play(["a*", "b*"])
    assert trace.finished and not trace.confirmed


# -- play, tokens -----------------------------------------------------------------------------------


def test_play() -> None:
    trace = room().play(["mallory", "alice*", "mallory*"])
    assert trace.answers == {"alice": True, "mallory": True}
    assert trace.schedule == ("mallory",) + ("alice",) * 5 + ("mallory",) * 4
    assert (trace.violated, trace.confirmed, trace.switches, trace.preemptions) == (True, True, 2, 1)
    other = room().play(["alice", "mallory*4", "alice*", "mallory"])
    assert other.answers == {"alice": False, "mallory": False}


def test_play_of_half_a_schedule() -> None:
    trace = room().play(["mallory*2"])
    assert (trace.finished, trace.verdict, trace.answers) == (False, "unfinished", {})
    assert trace.steps[1].value == "'guess'"


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (["bob"], "no thread is called 'bob'"),
        (["alice*x"], "is not a move"),
        (["alice*6"], "alice took 5 of 6 steps, then it cannot move: it has ended"),
        ("alice*", "play takes a list"),
        ([3], "is not a move"),
    ],
)
def test_play_says_what_is_wrong(moves: Any, words: str) -> None:
    with pytest.raises(ScenarioError, match=words.replace("*", r"\*")):
        room().play(moves)


def test_play_of_a_blocked_thread() -> None:
    with pytest.raises(ScenarioError, match=r"waits for LockChecker.lock, held by alice"):
        room(programs.LockChecker).play(["alice*2", "mallory*2"])
    trace = room(programs.LockChecker).play(["alice*2", "mallory*", "alice*", "mallory*"])
    assert trace.finished and trace.confirmed


def test_token_replays_exactly_that_schedule() -> None:
    scenario = room()
    token = scenario.explore("all").minimal.token
    for back_end in ("generators", "threads"):
        again = room().replay(token, on=back_end)
        assert again.token == token
        assert again.confirmed and again.violated
        assert again.answers["mallory"] is True


def test_token_of_other_source_is_refused() -> None:
    token = room().explore("all").minimal.token
    with pytest.raises(TokenRefused, match="belongs to other source"):
        room(HalfLocalChecker).replay(token)
    with pytest.raises(TokenRefused, match="is not a token"):
        room().replay("hello")
    with pytest.raises(TokenRefused, match="more than the 2 threads"):
        room().replay(token.rpartition("-")[0] + "-a3d2")


def learner(source: str, name: str) -> dict:
    """A learner's file."""
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope: dict = {}
    exec(compile(source, name, "exec"), scope)
    return scope


def test_token_survives_comments_but_not_changes() -> None:
    text = "def work(s):\n    s.n = s.n + 1\n"
    variants = {"same": text, "comment": text.replace("+ 1", "+  1  # one more"), "changed": text.replace("1", "2")}
    scenarios = {
        key: Scenario(Counter, {k: learner(source, f"<{key}>")["work"] for k in "ab"}, never=lambda s, a: s.n < 2)
        for key, source in variants.items()
    }
    token = scenarios["same"].explore("all").minimal.token
    assert scenarios["comment"].replay(token).violated
    with pytest.raises(TokenRefused, match="the code has changed"):
        scenarios["changed"].replay(token)


# -- session ------------------------------------------------------------------------------------------


def test_session() -> None:
    session = room().session()
    assert session.threads == ("alice", "mallory") and session.enabled == ["alice", "mallory"]
    ahead = session.pending("mallory")
    assert (ahead.kind, ahead.target, ahead.value) == ("write", "Checker.input_buffer", None)
    step = session.step("mallory")
    assert step.value == "'guess'"
    assert session.schedule == ["mallory"]
    rest = session.solution()
    assert len(rest) == 9
    for name in rest:
        session.step(name)
    assert session.finished == ["alice", "mallory"] and session.violated
    assert session.trace().switches == 2
    assert session.pending("alice") is None
    with pytest.raises(ScenarioError, match="alice cannot move: it has already ended"):
        session.step("alice")
    session.undo()
    assert len(session.schedule) == 9
    session.rewind()
    assert session.schedule == [] and not session.violated
    session.undo()
    with pytest.raises(ScenarioError, match="no thread is called 'bob'"):
        session.step("bob")


def test_a_session_that_nobody_closes_ends_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suspended thread inside a `with` is no generator that "ignored GeneratorExit"."""
    said: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda problem: said.append(problem.exc_value))
    room = Scenario(LockCounter, {"a": lambda s: s.add(), "b": lambda s: s.add()})
    session = room.session()
    session.step("a")
    session.step("a")
    del session
    gc.collect()
    assert not said


def test_session_with_a_lock() -> None:
    session = room(programs.LockChecker).session()
    session.step("alice")
    session.step("alice")
    session.step("mallory")
    assert session.blocked == {"mallory": "waits for LockChecker.lock, held by alice"}
    assert session.enabled == ["alice"]
    assert session.solution() is None
    assert session.schedule == ["alice", "alice", "mallory"]


def test_solution_has_the_fewest_switches() -> None:
    session = room(never=somebody_else).session()
    session.step("alice")
    session.step("mallory")
    trace = room(never=somebody_else).play(["alice", "mallory", *session.solution()])
    assert trace.violated and trace.switches == 2


# -- funnel, words ------------------------------------------------------------------------------------


def test_funnel_of_the_checker() -> None:
    funnel = room().explore("all").funnel()
    assert (funnel.shared, funnel.conflicting, funnel.classes, funnel.executions) == (252, 70, 16, 252)
    assert funnel.bytecode > 10**20


def test_words() -> None:
    text = str(room().explore("all"))
    assert text.startswith("broken: all 252 interleavings\n")
    assert "1 preemption, 2 switches, 10 steps, confirmed on real threads\n  token race-" in text
    proof = str(room(programs.LockChecker).explore("all"))
    assert proof.startswith("proved: all 18 interleavings\n  and ")
    assert proof.endswith("schedules of single bytecodes found nothing else")
    assert str(room(programs.LockChecker).explore("all", witness=False)) == "proved: all 18 interleavings"
    assert str(room(programs.LockChecker).explore("preemptions", preemptions=1)).startswith("bounded: 1 preemption: ")


def test_no_thread_is_left() -> None:
    room().explore("all")
    room().play(["alice*"])
    assert not [t for t in threading.enumerate() if t.name.startswith("sharedstate-")]


def test_a_search_whose_time_is_up_in_the_middle_of_a_schedule_says_so() -> None:
    """It used to end with the explorer's own exception where a smaller schedule was looked for."""

    def slow() -> Counter:
        time.sleep(0.05)
        return Counter()

    engine = Scenario(slow, {"a": lambda c: setattr(c, "n", 1)})._engine
    search = Search(engine.make, Questions(), Budget(10, 0.02), 0)
    found = search.explore(All(search.found))
    search.close()
    assert not found.complete and found.stopped == "ran out of time after 0 executions"
