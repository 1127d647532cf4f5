"""Scenarios for the explorer: who comes, what each asks, and what must never be. One function a kind of program."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any

from sharedstate.interleave import Scenario
from sharedstate.interleave.result import Result

RIGHT, WRONG = "s3cret", "guess"
Answers = Mapping[str, object]


def wrong_answer(checker: object, answers: Answers) -> bool:
    """True unless Alice was let in and Mallory refused."""
    return answers["alice"] is not True or answers["mallory"] is not False


def stranger(place: object, answers: Answers) -> bool:
    """True unless Alice was known as Alice and the guest as nobody."""
    return answers["alice"] != "alice" or answers["guest"] is not None


def visit(checker: Callable[[str], Any]) -> Scenario:
    """Two threads at one checker: Alice with the right passcode, Mallory with a wrong one."""
    calls = {"alice": lambda c: c.check(RIGHT), "mallory": lambda c: c.check(WRONG)}
    return Scenario(lambda: checker(RIGHT), calls, never=wrong_answer)


def tasks(checker: Callable[[str], Any]) -> Scenario:
    """The same two visitors as tasks of one event loop; `check` is an async method."""

    async def alice(c: Any) -> object:
        return await c.check(RIGHT)

    async def mallory(c: Any) -> object:
        return await c.check(WRONG)

    return Scenario(lambda: checker(RIGHT), {"alice": alice, "mallory": mallory}, never=wrong_answer)


def logins(middleware: Callable[[], Any]) -> Scenario:
    """Two users at one middleware, whose `process(user)` must return "login of " + user."""
    calls = {"alice": lambda m: m.process("alice"), "bob": lambda m: m.process("bob")}
    wanted = {name: f"login of {name}" for name in calls}
    return Scenario(middleware, calls, never=lambda m, answers: dict(answers) != wanted)


def transfers(bank: Callable[[], Any]) -> Scenario:
    """One transfer `there()` and one `back()`: in the end, `moved` is 0."""
    calls = {"alice": lambda b: b.there(), "bob": lambda b: b.back()}
    return Scenario(bank, calls, never=lambda b, answers: b.moved != 0)


def queued(desk: Callable[[], Any]) -> Scenario:
    """Alice and a guest without a name ask a desk, and one task, `worker()`, serves both."""

    async def alice(d: Any) -> object:
        return await d.ask("alice")

    async def guest(d: Any) -> object:
        return await d.ask(None)

    async def worker(d: Any) -> object:
        return await d.worker()

    return Scenario(desk, {"alice": alice, "guest": guest, "worker": worker}, never=stranger)


def pooled(server: Callable[[], Any]) -> Scenario:
    """Alice and a guest without a name ask a server that hands their requests to a pool of threads."""
    calls = {"alice": lambda s: s.ask("alice"), "guest": lambda s: s.ask(None)}
    return Scenario(server, calls, never=stranger)


def cancelled(connection: Callable[[], Any], cancel: str | None = "alice") -> Scenario:
    """Alice and Bob ask on one connection; Alice may be cancelled at each await. Bob must get his own reply."""

    async def alice(c: Any) -> object:
        return await c.ask("alice")

    async def bob(c: Any) -> object:
        return await c.ask("bob")

    never = lambda c, answers: answers["bob"] != "for bob"  # noqa: E731
    return Scenario(connection, {"alice": alice, "bob": bob}, never=never, cancel=cancel)


def prove(room: Callable[[Any], Scenario], *kinds: Callable[..., Any]) -> dict[str, Result]:
    """Try one execution of every class of orders for each program; print a line each; return them by name."""
    found = {kind.__name__: room(kind).explore("dpor") for kind in kinds}
    print(*(f"{name:18} {_said(result)}" for name, result in found.items()), sep="\n")
    return found


def _said(result: Result) -> str:
    """Verdict and coverage; one bad class is enough for "broken", so its line must not read as "so many are bad"."""
    if result.verdict == "proved":
        return f"proved: {result.coverage}"
    tried = re.sub(r"^[\d,]+ of ([\d,]+ classes)$", r"all \1 tried", result.coverage)
    return f"{result.verdict} ({tried})"


async def crowd(checker: Callable[[str], Any], rounds: int = 200) -> int:
    """Let eight tasks at one checker, the last one right, `rounds` times; count the wrong passcodes that pass.

    No luck is in it: an event loop takes its tasks in order.
    """
    passed = 0
    for _ in range(rounds):
        shared = checker(RIGHT)
        answers = await asyncio.gather(*(shared.check(word) for word in (WRONG, RIGHT) * 4))
        passed += sum(answers[::2])
    return passed
