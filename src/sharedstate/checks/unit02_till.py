"""What exercise 02.5 plays with a till: sales in turn, at once, that fail, and in slow moments."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType

from sharedstate.checks.unit02_explore import explored

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
    from sharedstate.interleave import Scenario

    def sold(*numbers: int) -> list:
        return [[number, [[number, price]]] for number, price in zip(numbers, prices, strict=True)]

    def wrong(till: object, answers: Mapping[str, object]) -> bool:
        said = [answers["ann"], answers["ben"]]
        return said not in (sold(1, 2), sold(2, 1)) or till.total != sum(prices) or till.count != 2

    return explored(Scenario(till_class, {"ann": _customer(0, prices[0]), "ben": _customer(1, prices[1])}, never=wrong))


def _customer(item: int, price: object) -> Callable[[object], list]:
    """One sale; what comes back is its number and what was printed."""

    def buy(till: object) -> list:
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


def _failed(till: object, prices: list[int], price_of: Callable, print_receipt: Callable) -> dict[str, object]:
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
    from sharedstate.interleave import Scenario

    def unlucky(till: object) -> str:
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


def _quick_sale(till: object) -> Callable[[], None]:
    return lambda: till.sell(1, lambda item: 1, lambda number, price: None)


PLAYS: Mapping[str, Callable] = MappingProxyType({
    "alone": _alone, "orders": _orders, "no price": _no_price, "no paper": _no_paper, "torn": _torn, "held": _held,
})
