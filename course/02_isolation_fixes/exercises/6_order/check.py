"""Exercise 02.6: transfers that cannot lock each other out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.scenarios import IMPORTS, Explored, Slip, explored, followed, readable
from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import AnswerProblem, Case, Verdict, is_record
from sharedstate.interleave import Scenario

NUMBERS = (9, 11, 100)

SAYS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "there and back": ("money-lost", "Two transfers at once, there and back: money is lost or made."),
    "three in a circle": ("money-lost", "Three transfers in a circle: money is lost or made."),
    "an auditor looks": ("in-the-air", "An auditor who holds both locks counts too little or too much: the money has "
                                       "left one account and not reached the other."),
    "two withdrawals": ("overdrawn", "Two transfers from one account, and money for one: both went through, or the "
                                     "balance fell below zero."),
    "to oneself": ("self-transfer", "A transfer of all one has to oneself should return True and move nothing."),
    "to oneself, too much": ("self-transfer", "A transfer to oneself of more than one has should return False."),
})
SEEN = frozenset({"answer", "balances", "kept"})
WHAT = "this transfer"


Account: Any = shown_class(__file__, "Account")


class OrderedTransfer(Explored):
    """The answer is transfer(source, target, amount) -> bool; it takes the accounts' own locks."""

    id = "02.6"
    title = "A lock order that cannot deadlock"
    answer = "transfer"
    minutes = 12
    difficulty = 3
    points = 3.0
    expects = "a function"
    seconds = 15.0
    judge_source = True
    imports = IMPORTS

    def cases(self, seed: int) -> list[Case]:
        """A transfer alone, some that are refused or fail, then what two or three can do to each other."""
        draw = self.draw(seed)
        amount = draw.randrange(5, 40)
        alone = [Case("one transfer", {"kind": "alone", "amount": amount, "balances": [100, 100]}, visible=True),
                 Case("the last coin", {"kind": "alone", "amount": amount, "balances": [amount, 100]}),
                 Case("not enough money", {"kind": "alone", "amount": amount, "balances": [amount - 1, 100]}),
                 Case("an amount that is no number", {"kind": "torn", "amount": "a lot", "balances": [100, 100]})]
        kinds = (("there and back", [100, 100]), ("there and back", [90, 100]), ("three in a circle", [100, 100, 100]),
                 ("an auditor looks", [100, 60]), ("an auditor looks", [60, 100]),
                 ("two withdrawals", [amount, 100]), ("to oneself", [amount]), ("to oneself, too much", [amount - 1]))
        return alone + [Case(kind, {"kind": kind, "amount": amount, "balances": balances}) for kind, balances in kinds]

    def among(self, case: Case) -> bool:
        """The plain transfers: the others are explored, which sees for itself what one run leaves to the next."""
        return case["kind"] in ("alone", "torn")

    def run(self, answer: Any, case: Case) -> object:
        """One transfer, or the explorer on several."""
        amount, balances = case["amount"], case["balances"]
        if case["kind"] in ("alone", "torn"):
            return _once(answer, amount, balances)
        with followed(answer):
            return explored(_ROOMS[case["kind"]](answer, amount, balances))

    def judge(self, case: Case, value: object) -> Verdict:
        """Alone first, then every order."""
        if case["kind"] in ("alone", "torn"):
            return self._alone(case, value)
        found = value if readable(value) else {"verdict": "", "schedule": None, "answers": {}}
        refused = [name for name, said in found["answers"].items() if said == "False"]
        if refused and found["verdict"] == "broken" and case["kind"] in ("there and back", "three in a circle"):
            said = f"Case '{case.label}': {refused[0]}'s transfer was refused, and there was money enough for it."
            return self.wrong("refuses-a-good-one", said, schedule=found["schedule"])
        own = "self-deadlock" if case.label.startswith("to oneself") else "deadlock"
        at = f"Case '{case.label}'"
        slips: Mapping[str, Slip] = {
            "deadlock": (own, f"{at}: everybody waits for ever. The schedule shows who holds what.", 0.0),
            "not deterministic": ("by-chance", f"{at}: the order hangs on chance, as that of id() and hash() does. The "
                                               "auditor goes by number.", 0.0),
            "broken": (*SAYS[case.label], 0.0),
        }
        unproved = (f"{at} could not be proved: {{verdict}}. Take the locks in an order on which all agree, and wait "
                    "for them; who tries again and again has no last order.")
        praise = "Money is never lost, and nobody ever waits in a circle."
        return self.by_verdict(value, praise, slips, ("not-proved", unproved, 0.0), WHAT)

    def _alone(self, case: Case, value: object) -> Verdict:
        if not is_record(value, SEEN) or type(value["kept"]) is not bool:
            return self.unseen(WHAT)
        if value["kept"]:
            said = f"Case '{case.label}': transfer() has ended, and a lock is still taken. The next one waits for ever."
            return self.wrong("lock-kept", said, points=1.0)
        if case["kind"] == "torn":
            return self.right("A transfer that fails gives its locks back.")
        if type(value["answer"]) is not bool:
            return self.wrong("wrong-shape", "transfer() should return True or False.")
        amount, (balance, other) = case["amount"], case["balances"]
        goes = amount <= balance
        wanted = [goes, [balance - amount * goes, other + amount * goes]]
        if [value["answer"], value["balances"]] != wanted:
            return self.wrong("wrong-sum", f"A transfer of {amount} from {balance} to {other}: expected {wanted[0]} "
                                           f"and {wanted[1]}, got {value['answer']} and {value['balances']}.")
        return self.right("One transfer alone is right.")


Transfer = Callable[[Any, Any, Any], bool]


def _once(transfer: Transfer, amount: object, balances: list[int]) -> dict[str, object]:
    """One transfer, from the larger number to the smaller; was a lock kept?"""
    two, one = bank = [Account(number, balance) for number, balance in zip((11, 9), balances, strict=True)]
    answer = None
    try:
        answer = transfer(two, one, amount)
    except TypeError:
        if type(amount) is int:
            raise
    if answer is None and [account.balance for account in bank] == balances and type(amount) is int:
        raise AnswerProblem("untouched", "transfer() moves nothing and returns nothing yet.")
    return {"answer": answer, "balances": [account.balance for account in bank],
            "kept": any(account.lock.locked() for account in bank)}


def opened(balances: list[int]) -> Callable[[], list[Account]]:
    """Return a function that opens accounts whose numbers rise while their places in memory fall.

    So an order by id() or hash() is not by chance the auditor's, and neither is an order of texts.
    """

    def bank() -> list[Account]:
        accounts = sorted((Account(0, 0) for _ in balances), key=id, reverse=True)
        locks = sorted((account.lock for account in accounts), key=id, reverse=True)
        for account, lock, number, balance in zip(accounts, locks, NUMBERS, balances, strict=False):
            account.number, account.balance, account.lock = number, balance, lock
        return accounts

    return bank


def _there_and_back(transfer: Transfer, amount: int, balances: list[int]) -> Scenario:
    calls = {"ann": lambda b: transfer(b[0], b[1], amount), "ben": lambda b: transfer(b[1], b[0], amount)}
    return Scenario(opened(balances), calls, never=lambda b, answers: [b[0].balance, b[1].balance] != balances)


def _circle(transfer: Transfer, amount: int, balances: list[int]) -> Scenario:
    calls = {"ann": lambda b: transfer(b[0], b[1], amount), "ben": lambda b: transfer(b[1], b[2], amount),
             "cy": lambda b: transfer(b[2], b[0], amount)}
    return Scenario(opened(balances), calls, never=lambda b, answers: sum(account.balance for account in b) != 300)


def _auditor(transfer: Transfer, amount: int, balances: list[int]) -> Scenario:
    def audit(bank: list) -> int:
        one, two = bank
        with one.lock, two.lock:
            return one.balance + two.balance

    calls = {"ann": lambda b: transfer(b[1], b[0], amount), "auditor": audit}
    return Scenario(opened(balances), calls, never=lambda b, answers: answers["auditor"] != sum(balances))


def _withdrawals(transfer: Transfer, amount: int, balances: list[int]) -> Scenario:
    """Two want the last money, and an auditor sees the account at any time that its lock is free."""
    def audit(bank: list) -> int:
        with bank[0].lock:
            return bank[0].balance

    def wrong(bank: list, answers: Mapping[str, object]) -> bool:
        one_of_them = [answers["ann"], answers["ben"]] in ([True, False], [False, True])
        return bank[0].balance != 0 or answers["auditor"] not in (0, amount) or not one_of_them

    calls = dict.fromkeys(("ann", "ben"), lambda b: transfer(b[0], b[1], amount))
    return Scenario(opened(balances), {**calls, "auditor": audit}, never=wrong)


def _oneself(transfer: Transfer, amount: int, balances: list[int]) -> Scenario:
    """A transfer to oneself, and an auditor who wants the lock before or after it."""
    def audit(bank: list) -> int:
        with bank[0].lock:
            return bank[0].balance

    calls = {"ann": lambda b: transfer(b[0], b[0], amount), "auditor": audit}
    goes = amount <= balances[0]
    return Scenario(opened(balances), calls,
                    never=lambda b, answers: [b[0].balance, answers["auditor"]] != balances * 2
                    or answers["ann"] is not goes)


_ROOMS: Mapping[str, Callable] = MappingProxyType({
    "there and back": _there_and_back, "three in a circle": _circle, "an auditor looks": _auditor,
    "two withdrawals": _withdrawals, "to oneself": _oneself, "to oneself, too much": _oneself,
})


EXERCISE = OrderedTransfer()
