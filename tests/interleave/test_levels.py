"""The scheduler game without a panel: each level against a brute force of the test's own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sharedstate.game import LEVELS, Level, level, moves, programs, switches
from sharedstate.interleave import Scenario
from sharedstate.interleave.execution import ScenarioError
from sharedstate.switch_points import gil_enabled

NAMES = tuple(one.name for one in LEVELS)
STATED = {
    "coffee": 2, "wrong-in": 2, "right-out": 2, "lost-update": 2, "only-two": 5, "twins": 2, "swapped": None,
    "two-locks": 1, "split-locks": 2, "new-lock": 2, "one-lock": None, "shared-result": 2,
}  # fmt: skip


def brute_force(one: Level) -> int | None:
    """Return the fewest switches that reach the goal: every schedule, one after the other."""
    session, best = one.session(), None
    path: list[str] = []
    todo = [(name,) for name in session.enabled]
    while todo:
        schedule = todo.pop()
        keep = 0
        while keep < min(len(path), len(schedule)) and path[keep] == schedule[keep]:
            keep += 1
        session.rewind(keep)
        for name in schedule[keep:]:
            session.step(name)
        path = list(schedule)
        if session.reached:
            best = min(switches(schedule), len(schedule) if best is None else best)
        todo += [(*schedule, name) for name in session.enabled]
    session.close()
    return best


def test_the_levels_that_there_must_be() -> None:
    assert {name: one.par for name, one in zip(NAMES, LEVELS, strict=True)} == STATED
    assert [one.goal for one in LEVELS].count("deadlock") == 1
    assert {one.name for one in LEVELS if one.impossible} == {"one-lock", "swapped"}


@pytest.mark.parametrize("name", NAMES)
def test_par_is_what_a_brute_force_finds(name: str) -> None:
    assert level(name).par == brute_force(level(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_reaches_the_goal_in_as_many_switches_as_stated(name: str) -> None:
    one = level(name)
    solution = one.solution()
    if one.impossible:
        assert solution is None and one.par is None
        return
    score = one.play(solution)
    assert score.reached and score.switches == score.par == one.par and score.trace.confirmed
    assert str(score).endswith("nobody can do it in fewer.")


@pytest.mark.parametrize("name", NAMES)
def test_the_explorer_proves_the_impossible_and_refutes_the_claim_elsewhere(name: str) -> None:
    one = level(name)
    result = one.prove()
    wanted = "proved" if one.impossible else "deadlock" if one.goal == "deadlock" else "broken"
    assert result.verdict == wanted and not result.assumptions
    assert (result.minimal is None) == one.impossible


def test_the_programs_of_the_game_are_judged_like_a_learners_own() -> None:
    """Written and read back at once: with a GIL there is no switch point in between on 3.10 and later."""
    trace = level("wrong-in").prove().minimal
    assert (trace.steps[1].preemption, trace.steps[1].possible) == (True, not gil_enabled())


def test_a_broken_lock_would_be_noticed() -> None:
    """The proof is not given for free: with the wrong program the impossible level is broken."""
    one = level("one-lock")
    weaker = Scenario(programs.Checker, one.threads, one.never)
    assert weaker.explore().verdict == "broken"


def test_a_detour_is_told_what_is_possible() -> None:
    score = level("lost-update").play(["left", "right", "left", "right"])
    assert score.reached and score.switches == 3 and score.par == 2
    assert score.text == "Goal reached in 3 switches: it can be done in 2."


def test_a_schedule_that_misses_says_what_came_out() -> None:
    missed = level("wrong-in").play(["alice*", "mallory*"])
    assert not missed.reached and "alice: True, mallory: False" in missed.text
    early = level("wrong-in").play(["alice*"])
    assert not early.reached and early.text == "Not at the end yet: mallory can go on."
    done = level("two-locks").play(["red*", "blue*"])
    assert not done.reached and "Goal not reached" in done.text


def test_a_deadlock_is_the_goal_only_where_it_is() -> None:
    session = level("two-locks").session()
    for name in ("red*2", "blue*2"):
        for _ in range(2):
            session.step(name.partition("*")[0])
    rest = session.solution()
    assert rest is not None and switches(["blue", *rest]) == 1
    for name in rest:
        session.step(name)
    assert session.reached and not session.violated and session.trace().verdict == "deadlock"
    session.close()
    plain = level("two-locks").scenario().session()
    assert plain.solution() is None and not plain.reached
    with pytest.raises(ScenarioError, match="goal must be one of"):
        level("two-locks").scenario().session("win")


def test_names_titles_and_hints() -> None:
    assert len(set(NAMES)) == len(NAMES)
    for one in LEVELS:
        assert len(one.hints) == 3 and all(one.hints)
        text = str(one)
        assert f"class {one.program.__name__}" in text and one.wanted in text and one.story in text
    with pytest.raises(ScenarioError, match="no level is called 'x'; there are coffee, wrong-in, "):
        level("x")


def test_moves() -> None:
    assert moves(["a", "a", "b", "a"]) == ["a*2", "b", "a"] and moves([]) == []


def test_the_game_needs_no_widgets() -> None:
    code = "import sys, sharedstate.game as g; g.level('wrong-in').par\n" \
           "print({'ipywidgets', 'IPython', 'numpy'} & set(sys.modules))"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
