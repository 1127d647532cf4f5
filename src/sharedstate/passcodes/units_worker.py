"""The child process of the generator panel: `python -m sharedstate.passcodes.units_worker`; see `worker`."""

from __future__ import annotations

import json

from sharedstate.passcodes.sweep import SweepProcess
from sharedstate.passcodes.units import UnitsConfig, UnitsResult, measure_units
from sharedstate.passcodes.worker import leave, say, serve

SECONDS_A_DRAW = 1e-6


class UnitsProcess(SweepProcess):
    """One child that lets units draw, a list of UnitsConfig."""

    module = "sharedstate.passcodes.units_worker"
    result = UnitsResult


def measure(order: str) -> None:
    """Measure every configuration of the order, in turn."""
    configs = [UnitsConfig(**fields) for fields in json.loads(order)["configs"]]
    for i, config in enumerate(configs):
        say(started=i, expected_seconds=config.batch * 32 * SECONDS_A_DRAW)
        say(result=measure_units(config).as_dict())
    say(done=len(configs))


if __name__ == "__main__":
    leave(serve(measure))
