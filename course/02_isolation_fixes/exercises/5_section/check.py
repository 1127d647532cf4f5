"""Exercise 02.5: the smallest critical section that keeps the till right."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from sharedstate.checks.scenarios import IMPORTS, Explored, explored, require_methods
from sharedstate.checks.types import Case, Verdict, is_record
from sharedstate.interleave import Scenario

ALONE = frozenset({"numbers", "total", "count", "asked", "printed"})
HELD = frozenset({"price", "print"})
FAILED = frozenset({"raised", "total", "count", "next"})
SEEN = "this till"


class SmallestSection(Explored):
    """The answer is a class Till with sell(item, price_of, print_receipt) -> the receipt's number."""

    id = "02.5"
    title = "The smallest critical section"
    answer = "Till"
    minutes = 12
    difficulty = 3
    points = 3.0
    expects = "a class"
    seconds = 10.0
    judge_source = True
    imports = IMPORTS

    def cases(self, seed: int) -> list[Case]:
        """A sale alone, several in turn, two at once in every order, what fails, and a second sale in slow moments."""
        draw = self.draw(seed)
        prices = draw.sample(range(2, 90), 3)
        return [
            Case("one sale", {"kind": "alone", "prices": prices[:1]}, visible=True),
            Case("five sales in turn", {"kind": "alone", "prices": [*prices, 0, 2.5]}),
            Case("two at once", {"kind": "orders", "prices": prices[:2]}),
            Case("nobody knows the price", {"kind": "no price", "prices": prices[:2]}),
            Case("the printer is out of paper", {"kind": "no paper", "prices": prices[:2]}),
            Case("a price that is no number", {"kind": "torn", "prices": prices[:1]}),
            Case("a slow price, a slow printer", {"kind": "held", "prices": prices[:2]}),
        ]

    def among(self, case: Case) -> bool:
        """The plain plays: the others are explored, which sees for itself what one run leaves to the next."""
        return case["kind"] in ("alone", "no price", "no paper")

    def run(self, answer: Any, case: Case) -> object:
        """Sell, and return what could be seen."""
        require_methods(answer, "sell")
        return PLAYS[case["kind"]](answer, list(case["prices"]))

    def judge(self, case: Case, value: object) -> Verdict:
        """By the kind of the case."""
        judges = {"alone": self._alone, "orders": self._orders, "held": self._held, "torn": self._torn,
                  "no price": self._no_price, "no paper": self._no_paper}
        return judges[case["kind"]](case["prices"], value)

    def _alone(self, prices: list[int], value: object) -> Verdict:
        if not is_record(value, ALONE):
            return self.unseen(SEEN)
        numbers = list(range(1, len(prices) + 1))
        items = items_of(prices)
        if value["asked"] != items:
            return self.wrong("asks-again", f"price_of was asked for the items {value['asked']}, and {items} were "
                                            "sold. It is slow: ask once a sale, for what is sold.")
        if value["numbers"] != numbers or value["total"] != sum(prices) or value["count"] != len(prices):
            return self.wrong("wrong-sum", f"After sales of {prices}: numbers {value['numbers']}, total "
                                           f"{value['total']}, count {value['count']}.")
        if value["printed"] != [[n, prices[item]] for n, item in zip(numbers, items, strict=True)]:
            return self.wrong("wrong-receipt", "print_receipt(number, price) should be called once a sale, with the "
                                               f"sale's own numbers. It was called with {value['printed']}.")
        return self.right("One customer at a time, the till is right.")

    def _orders(self, prices: list[int], value: object) -> Verdict:
        return self.by_verdict(value, "No order of two sales loses anything.", {
            "deadlock": ("deadlock", "Two customers wait for ever.", 0.0),
            "broken": ("loses-a-sale", "Two sales at once: one is lost, or a receipt shows another sale's number or "
                                       "price, as below.", 0.0),
        }, ("not-proved", "Two sales at once could not be proved: {verdict}.", 0.0), SEEN)

    def _held(self, prices: list[int], value: object) -> Verdict:
        if not is_record(value, HELD) or any(type(v) is not bool for v in value.values()):
            return self.unseen(SEEN)
        if value["price"]:
            message = "While one customer's price is looked up, the next one waits. Is the till needed for that?"
            return self.wrong("price-inside", message, points=1.0)
        if value["print"]:
            message = "While one receipt is printed, the next customer waits. Everything is decided by then."
            return self.wrong("print-inside", message, points=1.0)
        return self.right("Right in every order, and nobody waits for slow work.")

    def _no_price(self, prices: list[int], value: object) -> Verdict:
        wanted = {"raised": True, "total": 0, "count": 0, "next": 1}
        message = "price_of raised, so nothing is sold: count and total stay 0, the next sale is number 1."
        return self._failed("price_of", "sold-without-a-price", message, wanted, value)

    def _no_paper(self, prices: list[int], value: object) -> Verdict:
        wanted = {"raised": True, "total": prices[0], "count": 1, "next": 2}
        message = f"The printer raised. The sale is booked by then, and it stands: count 1, total {prices[0]}."
        return self._failed("print_receipt", "jam-undoes-the-sale", message, wanted, value)

    def _failed(self, who: str, reason: str, message: str, wanted: Mapping[str, object], value: object) -> Verdict:
        if not is_record(value, FAILED):
            return self.unseen(SEEN)
        if value["raised"] is not True:
            return self.wrong("swallowed", f"{who} raised an exception, and sell() did not pass it on.")
        if value == wanted and [type(v) for v in value.values()] == [type(v) for v in wanted.values()]:
            return self.right("A sale that fails does no harm.")
        yours = f"count {value['count']}, total {value['total']}, next number {value['next']}"
        return self.wrong(reason, f"{message} Yours: {yours}.")

    def _torn(self, prices: list[int], value: object) -> Verdict:
        return self.by_verdict(value, "A sale that fails does not lock the till.", {
            "deadlock": ("lock-stays", "A price was no number, adding it raised, and the lock stayed: the next "
                                       "customer waits for ever.", 1.0),
        }, ("not-proved", "Two sales, one of which fails, could not be proved: {verdict}.", 0.0), SEEN)


PATIENCE = 1.0  # seconds that a second sale may take; only a till that holds its lock too long needs them


def items_of(prices: list[int]) -> list[int]:
    """Return the items in the order in which they are sold: the last first."""
    return list(range(len(prices)))[::-1]


def _alone(till_class: type, prices: list[int]) -> dict[str, object]:
    """Sell in turn."""
    till, printed, asked = till_class(), [], []

    def price_of(item: int) -> int:
        asked.append(item)
        return prices[item]

    numbers = [till.sell(i, price_of, lambda n, p: printed.append([n, p])) for i in items_of(prices)]
    return {"numbers": numbers, "total": till.total, "count": till.count, "asked": asked, "printed": printed}


def _orders(till_class: type, prices: list[int]) -> dict[str, object]:
    """Two sales, in every order."""
    def sold(*numbers: int) -> list:
        return [[number, [[number, price]]] for number, price in zip(numbers, prices, strict=True)]

    def wrong(till: Any, answers: Mapping[str, object]) -> bool:
        said = [answers["ann"], answers["ben"]]
        return said not in (sold(1, 2), sold(2, 1)) or till.total != sum(prices) or till.count != 2

    return explored(Scenario(till_class, {"ann": _customer(0, prices[0]), "ben": _customer(1, prices[1])}, never=wrong))


def _customer(item: int, price: object) -> Callable[[Any], list]:
    """One sale; what comes back is its number and what was printed."""

    def buy(till: Any) -> list:
        printed = []
        number = till.sell(item, lambda i: price, lambda n, p: printed.append([n, p]))
        return [number, printed]

    return buy


def _no_price(till_class: type, prices: list[int]) -> dict[str, object]:
    return _failed(till_class(), prices, _breaks, lambda number, price: None)


def _no_paper(till_class: type, prices: list[int]) -> dict[str, object]:
    return _failed(till_class(), prices, lambda item: prices[0], _breaks)


def _breaks(*_: object) -> None:
    raise LookupError("nothing there")


def _failed(till: Any, prices: list[int], price_of: Callable, print_receipt: Callable) -> dict[str, object]:
    """A sale that raises, and one after it."""
    raised = False
    try:
        till.sell(0, price_of, print_receipt)
    except LookupError:
        raised = True
    return {"raised": raised, "total": till.total, "count": till.count,
            "next": till.sell(1, lambda item: prices[1], lambda number, price: None)}


def _torn(till_class: type, prices: list[int]) -> dict[str, object]:
    """A sale at a price that cannot be added, and another one at any time."""
    def unlucky(till: Any) -> str:
        try:
            till.sell(0, lambda item: "a lot", lambda number, price: None)
        except TypeError:
            return "no number"
        return "sold"

    return explored(Scenario(till_class, {"ann": unlucky, "ben": _customer(1, prices[0])}, never=lambda t, a: False))


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


def _quick_sale(till: Any) -> Callable[[], None]:
    return lambda: till.sell(1, lambda item: 1, lambda number, price: None)


PLAYS: Mapping[str, Callable] = MappingProxyType({
    "alone": _alone, "orders": _orders, "no price": _no_price, "no paper": _no_paper, "torn": _torn, "held": _held,
})


EXERCISE = SmallestSection()
