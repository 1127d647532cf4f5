"""For a test suite of one's own: `assert_proved(scenario)`, in pytest, unittest or a plain script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sharedstate.interleave.result import Result
from sharedstate.interleave.scenario import Scenario
from sharedstate.interleave.show.advice import ADVICE


def assert_proved(
    scenario: Scenario, *, accept_bounded: bool = False, accept_assumptions: bool = False, **options: Any
) -> Result:
    """Explore a scenario and return the result if the verdict is "proved"; else raise AssertionError.

    The error's text holds the verdict, the smallest failing schedule with its values, its token and how to
    replay it. `options` go to `Scenario.explore` (strategy, preemptions, executions, seconds, …).
    `accept_bounded`: a search bounded by preemptions that found nothing is good enough.
    `accept_assumptions`: so is a proof that takes calls as one step which could reach shared state ("proved if").

    Raises AssertionError, and what `Scenario.explore` raises.
    """
    __tracebackhide__ = True
    if not isinstance(scenario, Scenario):
        raise TypeError(f"assert_proved takes a Scenario, not {type(scenario).__name__}")
    result = scenario.explore(**options)
    wanted = ["proved", *["bounded"] * accept_bounded, *["proved if"] * accept_assumptions]
    if result.verdict not in wanted:
        raise AssertionError(explain(result))
    return result


def replay_call(token: str) -> str:
    """How to play a token's schedule again, in Python."""
    return f"scenario.replay({token!r}).show()"


def explain(result: Result, replay: Callable[[str], str] = replay_call) -> str:
    """A result as text: verdict, what to do, smallest failing schedule; `replay` says how to play a token."""
    lines = [f"{result.verdict}: {result.coverage}", *result.small_print]
    if result.verdict in ADVICE:
        lines.append(ADVICE[result.verdict])
    if result.minimal is not None:
        drawn = ["The smallest failing schedule:", "", str(result.minimal)]
        lines += ["", *drawn, "", f"Replay it: {replay(result.minimal.token)}"]
    return "\n".join(lines)
