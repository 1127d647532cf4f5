"""Exercise 02.5: the smallest critical section that keeps the till right."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping

from sharedstate.checks.types import Case, Exercise, Verdict
from sharedstate.checks.unit02_explore import explored, readable, schedule_of

PATIENCE = 1.0  # seconds that a second sale may take; only a till that holds its lock too long needs them
ALONE = frozenset({"numbers", "total", "count", "asked", "printed"})
HELD = frozenset({"price", "print"})


class SmallestSection(Exercise):
    """The answer is a class Till with sell(item, price_of, print_receipt) -> the receipt's number."""

    id = "02.5"
    title = "The smallest critical section"
    answer = "Till"
    minutes = 12
    difficulty = 3
    points = 3.0
    expects = "a class"
    seconds = 20.0
    judge_source = True

    def cases(self, seed: int) -> list[Case]:
        """A sale alone, several in turn, two at once in every order, and a second sale in the slow moments."""
        draw = random.Random(f"02.5:{seed}")
        prices = [draw.randrange(2, 90) for _ in range(3)]
        return [
            Case("one sale", {"kind": "alone", "prices": prices[:1]}, visible=True),
            Case("three sales in turn", {"kind": "alone", "prices": prices}),
            Case("two at once", {"kind": "orders", "prices": prices[:2]}),
            Case("a slow price, a slow printer", {"kind": "held", "prices": prices[:2]}),
        ]

    def run(self, answer: object, case: Case) -> object:
        """Sell, and return what could be seen."""
        plays = {"alone": _alone, "orders": _orders, "held": _held}
        return plays[case["kind"]](answer, list(case["prices"]))

    def judge(self, case: Case, value: object) -> Verdict:
        """By the kind of the case."""
        judges = {"alone": self._alone, "orders": self._orders, "held": self._held}
        return judges[case["kind"]](case["prices"], value)

    def _alone(self, prices: list[int], value: object) -> Verdict:
        if type(value) is not dict or {*value} != ALONE:
            return self.wrong("wrong-shape", "Nothing could be seen of this till.")
        numbers = list(range(1, len(prices) + 1))
        if value["asked"] != len(prices):
            return self.wrong("asks-again", f"price_of was called {value['asked']} times for {len(prices)} sales. It "
                                            "is slow: ask once a sale.")
        if value["numbers"] != numbers or value["total"] != sum(prices) or value["count"] != len(prices):
            return self.wrong("wrong-sum", f"After sales of {prices}: numbers {value['numbers']}, total "
                                           f"{value['total']}, count {value['count']}.")
        if value["printed"] != [[n, p] for n, p in zip(numbers, prices, strict=True)]:
            return self.wrong("wrong-receipt", "print_receipt(number, price) should be called once a sale, with the "
                                               f"sale's own numbers. It was called with {value['printed']}.")
        return self.right("One customer at a time, the till is right.")

    def _orders(self, prices: list[int], value: object) -> Verdict:
        if not readable(value):
            return self.wrong("wrong-shape", "Nothing could be seen of this till.")
        if value["verdict"] == "proved":
            return self.right("No order of two sales loses anything.")
        if value["verdict"] == "deadlock":
            return self.wrong("deadlock", "Two customers wait for ever.", schedule=schedule_of(value))
        if value["verdict"] != "broken":
            return self.wrong("not-proved", f"Two sales at once could not be proved: {value['verdict']}.")
        message = "Two sales at once: one is lost, or two receipts have one number. The schedule shows it."
        return self.wrong("loses-a-sale", message, schedule=schedule_of(value))

    def _held(self, prices: list[int], value: object) -> Verdict:
        if type(value) is not dict or {*value} != HELD or any(type(v) is not bool for v in value.values()):
            return self.wrong("wrong-shape", "Nothing could be seen of this till.")
        if value["price"]:
            message = "While one customer's price is looked up, the next one waits. Is the till needed for that?"
            return self.wrong("price-inside", message, points=1.0)
        if value["print"]:
            message = "While one receipt is printed, the next customer waits. Everything is decided by then."
            return self.wrong("print-inside", message, points=1.0)
        return self.right("Right in every order, and nobody waits for slow work.")


def _alone(till_class: type, prices: list[int]) -> dict[str, object]:
    """Sell in turn."""
    till, printed, asked = till_class(), [], []

    def price_of(item: int) -> int:
        asked.append(item)
        return prices[item]

    numbers = [till.sell(i, price_of, lambda n, p: printed.append([n, p])) for i in range(len(prices))]
    return {"numbers": numbers, "total": till.total, "count": till.count, "asked": len(asked), "printed": printed}


def _orders(till_class: type, prices: list[int]) -> dict[str, object]:
    """Two sales, in every order."""
    from sharedstate.interleave import Scenario

    def wrong(till: object, answers: Mapping[str, object]) -> bool:
        numbers = sorted(map(repr, answers.values()))
        return numbers != ["1", "2"] or till.total != sum(prices) or till.count != 2

    calls = {"ann": lambda t: t.sell(0, lambda i: prices[0], lambda n, p: None),
             "ben": lambda t: t.sell(1, lambda i: prices[1], lambda n, p: None)}
    return explored(Scenario(till_class, calls, never=wrong))


def _held(till_class: type, prices: list[int]) -> dict[str, bool]:
    """Does a second customer get through while the first one's price is looked up, or receipt printed?"""
    till, held = till_class(), {}

    def another(moment: str) -> None:
        thread = threading.Thread(target=_quick_sale(till), daemon=True)
        thread.start()
        thread.join(PATIENCE)
        held[moment] = thread.is_alive()

    def price_of(item: int) -> int:
        another("price")
        return prices[0]

    till.sell(0, price_of, lambda n, p: another("print"))
    return held


def _quick_sale(till: object) -> Callable[[], None]:
    return lambda: till.sell(1, lambda item: 1, lambda number, price: None)
