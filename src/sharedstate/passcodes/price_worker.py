"""The child process of a price sweep: `python -m sharedstate.passcodes.price_worker`; see `worker`."""

from __future__ import annotations

import json

from sharedstate.passcodes.price import PriceConfig, PriceResult, measure_price
from sharedstate.passcodes.sweep import SweepProcess
from sharedstate.passcodes.worker import leave, say, serve

SECONDS_A_ROUND = 0.15


class PriceProcess(SweepProcess):
    """One child that measures prices, a list of PriceConfig."""

    module = "sharedstate.passcodes.price_worker"
    result = PriceResult


def measure(order: str) -> None:
    """Measure every configuration of the order, in turn."""
    configs = [PriceConfig(**fields) for fields in json.loads(order)["configs"]]
    for i, config in enumerate(configs):
        say(started=i, expected_seconds=SECONDS_A_ROUND * config.rounds)
        say(result=measure_price(config).as_dict())
    say(done=len(configs))


if __name__ == "__main__":
    leave(serve(measure))
