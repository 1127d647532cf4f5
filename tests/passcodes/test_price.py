"""The price of a repair: right shapes, bad input refused, what a worker raises is passed on. No time is asserted."""

from __future__ import annotations

import pytest

from sharedstate.passcodes import PriceConfig, PriceResult, measure_price
from sharedstate.passcodes.checkers import FIXED
from sharedstate.passcodes.price import GAPS, REQUESTS, WORDS
from sharedstate.passcodes.price_worker import PriceProcess
from sharedstate.passcodes.sweep import SweepProcess


@pytest.mark.parametrize("work", sorted(GAPS))
def test_every_kind_of_work_can_be_priced(work: str) -> None:
    result = measure_price(PriceConfig(2, work, "local", rounds=1))
    assert len(result.ratios) == 1 and result.per_second > 0
    assert result.spread == (result.ratio, result.ratio)
    assert WORDS[work] in str(result)
    assert PriceResult.from_dict(result.as_dict() | {"config": {"threads": 2, "work": work, "fix": "local",
                                                                "rounds": 1}}) == result


def test_the_tables_name_the_same_work() -> None:
    assert set(GAPS) == set(REQUESTS) == set(WORDS)


@pytest.mark.parametrize(("wrong", "said"), [
    ({"threads": 1}, "threads=1"), ({"threads": 65}, "2 to 64"), ({"rounds": 0}, "rounds=0"),
    ({"work": "magic"}, "choose one of loop"), ({"fix": "spin"}, ", ".join(FIXED)),
])  # fmt: skip
def test_a_bad_configuration_is_refused(wrong: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        PriceConfig(**wrong)


def test_a_workers_exception_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    class Torn:
        def __iter__(self) -> None:
            raise OSError("torn page")

    monkeypatch.setattr("sharedstate.passcodes.price.GAPS", {"loop": Torn()})
    with pytest.raises(OSError, match="torn page"):
        measure_price(PriceConfig(2, "loop", "local", rounds=1))


def collect(process: SweepProcess) -> list[dict]:
    """Return everything a child says until it ends."""
    said: list[dict] = []
    while process.running:
        said += process.events()
    return said


def test_the_child_prices_what_it_was_asked() -> None:
    configs = [PriceConfig(2, "empty", fix, rounds=1) for fix in ("lock", "local")]
    said = collect(PriceProcess(configs))
    assert [event["result"].config for event in said if "result" in event] == configs
    assert said[-1] == {"done": 2}
