"""Units in threads: what is promised is counted; what the scheduler decides is only measured."""

from __future__ import annotations

import pytest

from sharedstate.passcodes.sweep import run_sweep
from sharedstate.passcodes.units import (
    GENERATORS,
    GRAINS,
    UnitsConfig,
    UnitsResult,
    Xorshift,
    in_threads,
    measure_units,
    serial,
)
from sharedstate.passcodes.units_worker import UnitsProcess

QUICK = {"units": 4, "threads": 4, "batch": 64}
generators = pytest.mark.parametrize("generator", GENERATORS)


@generators
@pytest.mark.parametrize("threads", [1, 3, 4])
def test_with_a_generator_each_every_unit_has_its_serial_passcodes(generator: str, threads: int) -> None:
    config = UnitsConfig(4, threads, 400, generator, "own")
    found = measure_units(config)
    assert (found.same_units, found.same_set, found.duplicates) == (4, True, 0)


@generators
@pytest.mark.parametrize("grain", GRAINS)
def test_every_grain_gives_each_unit_its_share(generator: str, grain: str) -> None:
    units, seconds = in_threads(UnitsConfig(**QUICK, generator=generator, grain=grain))
    assert [len(codes) for codes in units] == [16] * 4 and seconds > 0
    assert all(len(code) == 16 for codes in units for code in codes)


@generators
def test_one_thread_is_the_serial_run(generator: str) -> None:
    config = UnitsConfig(4, 1, 64, generator)
    assert in_threads(config)[0] == serial(config)


def test_a_lock_for_a_passcode_keeps_the_set() -> None:
    assert measure_units(UnitsConfig(batch=800, generator="random, 16 draws", grain="passcode")).same_set


def test_xorshift_is_the_published_one() -> None:
    rng = Xorshift(0)
    rng.state = 1
    assert [rng.draw() for _ in range(2)] == [1082269761, 1152992998833853505]


def test_results_travel_through_a_child_process() -> None:
    config = UnitsConfig(**QUICK, grain="own")
    (found,) = _swept([config])
    assert found.config == config and found.same_units == 4
    assert UnitsResult.from_dict(found.as_dict()) == found
    assert "4 of 4 units" in str(found)


def _swept(configs: list[UnitsConfig]) -> list[UnitsResult]:
    process, found = UnitsProcess(configs), []
    try:
        while process.running:
            for event in process.events():
                assert "error" not in event, event
                found += [event["result"]] if "result" in event else []
    finally:
        process.kill()
    return found


@pytest.mark.parametrize("wrong", [{"units": 0}, {"threads": 65}, {"batch": 3}, {"generator": "dice"},
                                   {"grain": "all"}, {"threads": 1.5}])  # fmt: skip
def test_what_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
        UnitsConfig(**wrong)


def test_the_race_sweep_still_measures_races() -> None:
    assert run_sweep([]) == []
