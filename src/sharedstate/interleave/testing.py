"""For a test suite of one's own: `assert_proved(scenario)`, in pytest, unittest or a plain script."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from sharedstate.interleave.result import Result
from sharedstate.interleave.scenario import Scenario

ADVICE = MappingProxyType(
    {
        "not instrumented": "Code under test could not be rewritten, so nothing was shown. Put its functions "
        "in a file that can be read, and leave out what is named above.",
        "raised": "An exception escaped from a thread. If exceptions are answers in your program, say "
        'Scenario(…, exceptions="answers").',
        "proved if": "Nothing bad was seen, but a call that was not followed could reach shared state. Follow "
        'its package with Scenario(…, follow=["package"]), or say accept_assumptions=True if the sentences '
        "above are right for your program.",
        "not proved": "The untouched code, parted between single bytecodes, did something that the search does "
        "not know. Please report it: the program, and the schedule above.",
        "not deterministic": "The same schedule did not do the same thing twice. Take time, random numbers, "
        "the order of a set and input from outside out of the code under test, or fix them in setup.",
        "ran out": "Nothing bad was seen, but not everything was tried, so nothing is proved. Make the "
        "program smaller (two threads, one call each), or raise executions=… and seconds=….",
        "bounded": "Nothing bad was seen with so few preemptions, and that is not a proof. Drop the bound, "
        "or say accept_bounded=True if this bound is what you want to hold to.",
    }
)


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
