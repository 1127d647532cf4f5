"""Exercise 02.6: transfers that cannot lock each other out."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from threading import Lock
from types import MappingProxyType

from sharedstate.checks.types import Case, Exercise, Verdict
from sharedstate.checks.unit02_explore import explored, readable, schedule_of

SAYS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "there and back": ("money-lost", "Two transfers at once, there and back: money is lost or made."),
    "three in a circle": ("money-lost", "Three transfers in a circle: money is lost or made."),
    "an auditor looks": ("in-the-air", "An auditor who holds both locks counts too little or too much: the money has "
                                       "left one account and not reached the other."),
    "two withdrawals": ("overdrawn", "Two transfers from one account, and money for one: both went through, or the "
                                     "balance fell below zero."),
    "to oneself": ("self-transfer", "A transfer of all one has to oneself should return True and move nothing."),
})


class Account:
    """The account that the lab shows: a number that never changes, a balance, a lock."""

    def __init__(self, number: int, balance: int) -> None:
        self.number, self.balance, self.lock = number, balance, Lock()


class OrderedTransfer(Exercise):
    """The answer is transfer(source, target, amount) -> bool; it takes the accounts' own locks."""

    id = "02.6"
    title = "A lock order that cannot deadlock"
    answer = "transfer"
    minutes = 12
    difficulty = 3
    points = 3.0
    expects = "a function"
    seconds = 25.0
    judge_source = True

    def cases(self, seed: int) -> list[Case]:
        """A transfer alone, one that is refused, then what two or three can do to each other."""
        draw = random.Random(f"02.6:{seed}")
        amount = draw.randrange(5, 40)
        alone = [Case("one transfer", {"kind": "alone", "amount": amount, "balance": 100}, visible=True),
                 Case("the last coin", {"kind": "alone", "amount": amount, "balance": amount}),
                 Case("not enough money", {"kind": "alone", "amount": amount, "balance": amount - 1})]
        return alone + [Case(label, {"kind": label, "amount": amount, "balance": 100}) for label in SAYS]

    def run(self, answer: object, case: Case) -> object:
        """One transfer, or the explorer on several."""
        amount, balance = case["amount"], case["balance"]
        if case["kind"] == "alone":
            one, two = Account(1, balance), Account(2, 100)
            return [answer(one, two, amount), one.balance, two.balance]
        return explored(_ROOMS[case["kind"]](answer, amount))

    def judge(self, case: Case, value: object) -> Verdict:
        """Alone first, then every order."""
        if case["kind"] == "alone":
            return self._alone(case, value)
        if not readable(value):
            return self.wrong("wrong-shape", "Nothing could be seen of this transfer.")
        if value["verdict"] == "proved":
            return self.right("Money is never lost, and nobody ever waits in a circle.")
        if value["verdict"] == "deadlock":
            message = f"Case '{case.label}': everybody waits for ever. The schedule shows who holds what."
            return self.wrong("self-deadlock" if case.label == "to oneself" else "deadlock", message,
                              schedule=schedule_of(value))
        if value["verdict"] != "broken":
            return self.wrong("not-proved", f"Case '{case.label}' could not be proved: {value['verdict']}.")
        reason, said = SAYS[case.label]
        return self.wrong(reason, said, schedule=schedule_of(value))

    def _alone(self, case: Case, value: object) -> Verdict:
        amount, balance = case["amount"], case["balance"]
        goes = amount <= balance
        wanted = [goes, balance - amount * goes, 100 + amount * goes]
        if type(value) is not list or len(value) != 3 or type(value[0]) is not bool:
            return self.wrong("wrong-shape", "transfer() should return True or False.")
        if value != wanted:
            return self.wrong("wrong-sum", f"A transfer of {amount} from {balance} to 100: expected {wanted}, got "
                                           f"{value}.")
        return self.right("One transfer alone is right.")


Transfer = Callable[[object, object, int], bool]


def _bank(count: int, balance: int = 100) -> Callable[[], list[Account]]:
    return lambda: [Account(number + 1, balance) for number in range(count)]


def _sum_changed(total: int) -> Callable[[list, Mapping], bool]:
    return lambda bank, answers: sum(account.balance for account in bank) != total


def _there_and_back(transfer: Transfer, amount: int) -> object:
    from sharedstate.interleave import Scenario

    calls = {"ann": lambda b: transfer(b[0], b[1], amount), "ben": lambda b: transfer(b[1], b[0], amount)}
    return Scenario(_bank(2), calls, never=lambda b, answers: [b[0].balance, b[1].balance] != [100, 100])


def _circle(transfer: Transfer, amount: int) -> object:
    from sharedstate.interleave import Scenario

    calls = {"ann": lambda b: transfer(b[0], b[1], amount), "ben": lambda b: transfer(b[1], b[2], amount),
             "cy": lambda b: transfer(b[2], b[0], amount)}
    return Scenario(_bank(3), calls, never=_sum_changed(300))


def _auditor(transfer: Transfer, amount: int) -> object:
    from sharedstate.interleave import Scenario

    def audit(bank: list) -> int:
        one, two = bank
        with one.lock, two.lock:
            return one.balance + two.balance

    calls = {"ann": lambda b: transfer(b[1], b[0], amount), "auditor": audit}
    return Scenario(_bank(2), calls, never=lambda b, answers: answers["auditor"] != 200)


def _withdrawals(transfer: Transfer, amount: int) -> object:
    from sharedstate.interleave import Scenario

    calls = {"ann": lambda b: transfer(b[0], b[1], amount), "ben": lambda b: transfer(b[0], b[1], amount)}
    return Scenario(_bank(2, amount), calls,
                    never=lambda b, answers: b[0].balance != 0 or sorted(answers.values()) != [False, True])


def _oneself(transfer: Transfer, amount: int) -> object:
    from sharedstate.interleave import Scenario

    return Scenario(_bank(1, amount), {"ann": lambda b: transfer(b[0], b[0], amount)},
                    never=lambda b, answers: b[0].balance != amount or answers["ann"] is not True)


_ROOMS: Mapping[str, Callable] = MappingProxyType({
    "there and back": _there_and_back, "three in a circle": _circle, "an auditor looks": _auditor,
    "two withdrawals": _withdrawals, "to oneself": _oneself,
})
