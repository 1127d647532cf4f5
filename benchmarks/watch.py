"""What writer tags cost: a check with and without, and a decode step with and without, in alternating rounds.

The first check does nothing but access its fields, so its ratio is the price of a note; the second one works for 1,000
turns of a loop in its gap. `spread` is half the distance between the quickest and the slowest round.
"""

from __future__ import annotations

import sys

from sharedstate.watch.price import checker_prices

NAMES = ("accesses", "loop", "decode")


def run(times: int = 2000) -> dict[str, object]:
    """Return how many times as long the watched work takes, and the spread."""
    import torch

    from sharedstate.watch.caches import engine_price

    torch.set_num_threads(1)
    prices = dict(zip(NAMES, (*checker_prices(times), engine_price()), strict=True))
    figures: dict[str, object] = {f"{name}_ratio": round(price.ratio, 2) for name, price in prices.items()}
    figures["python"] = sys.version.split()[0]
    figures["spread"] = {f"{n}_ratio": round((p.most - p.least) / 2, 2) for n, p in prices.items()}
    return figures


if __name__ == "__main__":
    print(run())
