"""Exercise 02.7: prove a transfer function, or find out how it fails."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.asking import AsksTheExplorer, Program


def ordered(source: Any, target: Any, amount: int) -> bool:
    """Locks in the order of the numbers."""
    first, second = (source, target) if source.number < target.number else (target, source)
    with first.lock, second.lock:
        if source.balance < amount:
            return False
        source.balance -= amount
        target.balance += amount
        return True


def unlocked(source: Any, target: Any, amount: int) -> bool:
    """No lock at all."""
    if source.balance < amount:
        return False
    source.balance -= amount
    target.balance += amount
    return True


def own_lock_first(source: Any, target: Any, amount: int) -> bool:
    """The source's lock first."""
    with source.lock, target.lock:
        source.balance -= amount
        target.balance += amount
        return True


def promise(source: Any, target: Any, amount: int) -> bool:
    """Says that it has moved the money, and moves nothing."""
    first, second = (source, target) if source.number < target.number else (target, source)
    with first.lock, second.lock:
        return source.balance >= amount


def denial(source: Any, target: Any, amount: int) -> bool:
    """Moves the money, and says that it has not."""
    ordered(source, target, amount)
    return False


def too_late(source: Any, target: Any, amount: int) -> bool:
    """Adds without the lock of the target."""
    with source.lock:
        source.balance -= amount
    balance = target.balance
    target.balance = balance + amount
    return True


PROGRAMS: Mapping[str, Program] = MappingProxyType({
    "unlocked": Program(unlocked, "broken", "calls-it-right", "Two transfers at once can lose money. Start two threads"
                        ", one there and one back, and say what the balances must not be at the end.", True),
    "ordered": Program(ordered, "proved", "false-alarm", "In every order all of the money arrives. Does your `never` "
                       "expect the right balances?", True),
    "own_lock_first": Program(own_lock_first, "deadlock", "deadlock-has-a-name", "Two threads can wait for each other "
                              "for ever. Let one go there and one back, and pass on the explorer's own word."),
    "promise": Program(promise, "broken", "only-the-sum", "It moves nothing, so the sum is right, and so is each "
                       "balance when equal amounts go there and back. Use different amounts, and look at each one."),
    "denial": Program(denial, "broken", "forgets-the-answers", "It moves the money and answers False. Look at the "
                      "answers, too."),
    "too_late": Program(too_late, "broken", "calls-it-right", "It changes the target's balance without its lock."),
})


class ProveTheBank(AsksTheExplorer):
    """The answer is bank_verdict(transfer) -> "proved", "broken" or "deadlock"."""

    id = "02.7"
    title = "Prove the bank"
    answer = "bank_verdict"
    minutes = 10
    difficulty = 3
    points = 3.0
    expects = "a function"
    seconds = 20.0
    programs = PROGRAMS
    praise = "Six transfers, and your question tells them apart in every order."


EXERCISE = ProveTheBank()
