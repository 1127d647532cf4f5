"""The price panel: controls become configurations, a child measures, Stop keeps what is there."""

from __future__ import annotations

import pytest

from sharedstate.panels.measuring import EMPTY
from sharedstate.panels.prices import EVERY, PricePanel
from sharedstate.panels.sweep import SweepFollower
from sharedstate.passcodes import PriceConfig, PriceResult
from sharedstate.passcodes.checkers import FIXED


class FakeProcess:
    """A child that has measured what it was asked for, one point at each look."""

    def __init__(self, configs: list) -> None:
        self.configs, self.running = list(configs), True

    def events(self) -> list[dict]:
        if self.configs:
            return [{"result": PriceResult(self.configs.pop(0), (1.0, 2.0, 3.0), 100.0)}]
        self.running = False
        return [{"done": 1}]

    def kill(self) -> None:
        self.running = False


@pytest.fixture
def panel() -> PricePanel:
    return PricePanel([], SweepFollower(FakeProcess))


def test_it_says_what_to_do_before_anything_is_measured(panel: PricePanel) -> None:
    assert panel.text() == EMPTY and EMPTY in panel.line.value
    assert panel._repr_mimebundle_()["text/plain"] == EMPTY


def test_the_controls_describe_what_is_measured(panel: PricePanel) -> None:
    panel.threads.value, panel.work.value = 16, "sha256"
    assert panel.configs() == [PriceConfig(16, "sha256", fix) for fix in FIXED]
    panel.fix.value = "lock"
    assert panel.configs() == [PriceConfig(16, "sha256", "lock")]
    assert panel.fix.options[0] == EVERY


def test_it_shows_every_point_and_ends(panel: PricePanel) -> None:
    panel.run()
    assert panel.run_button.disabled and not panel.stop_button.disabled
    looks = 0
    while panel.pump():
        looks += 1
    assert looks == len(FIXED)
    assert panel.text().count("\n") == len(FIXED) - 1 and "2.00 x" in panel.text()
    assert "data:image/png" in panel.figure.value and not panel.run_button.disabled


def test_a_second_run_changes_nothing_and_stop_keeps_the_points(panel: PricePanel) -> None:
    panel.run()
    panel.pump()
    panel.run()
    assert "running already" in panel.status.value
    panel.stop()
    assert "Stopped after 1 of 4" in panel.status.value and panel.stop_button.disabled
    assert panel.text().count("\n") == 0 and panel.text() != EMPTY
