"""The race panel: a thin view over one sweep at a time, over a faked child where time would matter."""

from __future__ import annotations

import asyncio
import threading

import psutil
import pytest
from matplotlib.figure import Figure

from sharedstate.panels.sweep import Busy, SweepFollower, counts_up_to, gaps_up_to
from sharedstate.panels.threads import RacePanel, race_panel, sweep_png
from sharedstate.passcodes import RaceConfig, RaceResult


class FakeSweep:
    """A child process that says what the test tells it to say."""

    def __init__(self, configs) -> None:
        self.configs, self.running, self.waiting = list(configs), True, []

    def say(self, *events) -> None:
        self.waiting += events

    def finish_point(self) -> None:
        config = self.configs.pop(0)
        self.say({"result": RaceResult(config, config.requests, 3, 4, 0.1, 1e-5)})

    def events(self):
        said, self.waiting = self.waiting, []
        if any("done" in e or "error" in e for e in said):
            self.running = False
        return said

    def kill(self) -> None:
        self.running = False


@pytest.fixture
def fakes():
    return []


@pytest.fixture
def panel(fakes) -> RacePanel:
    follower = SweepFollower(lambda configs: fakes.append(FakeSweep(configs)) or fakes[-1])
    return RacePanel(RaceConfig(threads=8, requests=2000), follower)


def test_the_sweep_goes_up_to_the_sliders_value() -> None:
    assert counts_up_to(64) == [2, 4, 8, 16, 32, 64]
    assert counts_up_to(2) == [2]
    assert counts_up_to(20) == [2, 4, 8, 16, 20]
    assert gaps_up_to(1000) == [31, 62, 125, 250, 500, 1000]
    assert gaps_up_to(0) == [0]


def test_the_controls_describe_the_sweep(panel: RacePanel) -> None:
    panel.threads.value, panel.gap.value, panel.requests.value = 16, 500, 100_000
    panel.interval.value = 0.001
    configs = panel.configs()
    assert [c.threads for c in configs] == [2, 4, 8, 16]
    assert {(c.requests, c.spin, c.switch_interval) for c in configs} == {(100_000, 500, 0.001)}
    panel.vary.value = "gap"
    assert [(c.threads, c.spin) for c in panel.configs()][-1] == (16, 500)
    assert len({c.spin for c in panel.configs()}) == 6


def test_sliders_do_not_fire_while_they_move(panel: RacePanel) -> None:
    sliders = (panel.threads, panel.gap, panel.interval, panel.requests)
    assert not any(s.continuous_update for s in sliders)
    assert (panel.threads.min, panel.threads.max) == (2, 64)


def test_figure_table_and_progress_grow_with_the_results(panel: RacePanel, fakes) -> None:
    assert 'data-points="6"' in panel.figure.value and "Recorded" in panel.line.value
    panel.run_button.click()
    assert panel.run_button.disabled and not panel.stop_button.disabled
    fakes[0].say({"started": 0, "expected_seconds": 1000.0})
    assert panel.pump() is True
    assert "point 1 of 3" in panel.status.value and panel.progress.value < 0.1
    fakes[0].finish_point()
    fakes[0].finish_point()
    assert panel.pump() is True
    assert 'data-points="2"' in panel.figure.value
    assert "Measured here: 2 of 3" in panel.line.value
    assert panel.progress.value >= 2 / 3
    fakes[0].finish_point()
    fakes[0].say({"done": 3})
    assert panel.pump() is False
    assert 'data-points="3"' in panel.figure.value and "Done: 3 points" in panel.status.value
    assert panel.progress.value == 1.0 and not panel.run_button.disabled and panel.stop_button.disabled


def test_a_second_run_is_refused_and_the_first_goes_on(panel: RacePanel, fakes) -> None:
    panel.run()
    panel.run()
    assert len(fakes) == 1 and fakes[0].running
    assert "running already" in panel.status.value


def test_stop_kills_and_keeps_what_was_measured(panel: RacePanel, fakes) -> None:
    panel.run()
    fakes[0].finish_point()
    panel.pump()
    panel.stop_button.click()
    assert not fakes[0].running and not panel.run_button.disabled
    assert "Stopped after 1 of 3" in panel.status.value and 'data-points="1"' in panel.figure.value
    panel.run()
    assert len(fakes) == 2


def test_a_failure_in_the_child_is_shown(panel: RacePanel, fakes) -> None:
    panel.run()
    fakes[0].say({"error": "MemoryError: <none> left"})
    assert panel.pump() is False
    assert "failed. MemoryError: &lt;none&gt; left" in panel.status.value
    assert not panel.run_button.disabled


def test_a_figure_that_cannot_be_drawn_stops_the_sweep(panel: RacePanel, fakes, monkeypatch) -> None:
    def broken(results, plot):
        raise OSError("no font")

    panel.run()
    fakes[0].finish_point()
    monkeypatch.setattr("sharedstate.panels.threads.sweep_png", broken)
    with pytest.raises(OSError, match="no font"):
        panel.pump()
    assert not fakes[0].running and "no font" in panel.status.value


def test_the_static_view_holds_a_picture_and_a_table(panel: RacePanel) -> None:
    bundle = panel._repr_mimebundle_()
    assert "base64,iVBOR" in bundle["text/html"]
    assert "Recorded: CPython" in bundle["text/plain"] and "threads" in bundle["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_a_sweep_that_saw_nothing_claims_nothing(monkeypatch) -> None:
    titles = []

    def race_sweep(results, popular, plot):
        titles.append((popular, plot))
        return Figure()

    monkeypatch.setattr("sharedstate.figures.races.race_sweep", race_sweep)
    quiet = RaceResult(RaceConfig(), 2000, 0, 1, 0.1, 1e-5)
    sweep_png([quiet])
    sweep_png([quiet, RaceResult(RaceConfig(), 2000, 20, 0, 0.1, 1e-5)], "gap")
    assert titles == [(False, "threads"), (True, "gap")]


def test_the_chosen_plot_stays_whatever_stops_and_each_plot_keeps_its_own_numbers(panel: RacePanel, fakes) -> None:
    panel.vary.value = "gap"
    assert "Recorded" in panel.line.value and panel.shown.text.splitlines()[-1].split()[1] == "4000"
    panel.run()
    fakes[0].finish_point()
    panel.pump()
    panel.stop()
    drawn: list[str] = []
    panel.png = lambda: drawn.append(panel.vary.value) or b"x"
    panel.vary.value = "threads"
    assert "Recorded" in panel.line.value and 'data-points="6"' in panel.figure.value
    panel.vary.value = "gap"
    assert "Measured here: 1 of 6" in panel.line.value and drawn == ["threads", "gap"]


def test_the_slider_ends_where_the_system_no_longer_keeps_the_interval(panel: RacePanel) -> None:
    assert min(seconds for _, seconds in panel.interval.options) == 0.001
    assert "¼ at most" in panel.figure.value and "1 ms or more" in panel.figure.value


def test_a_click_from_another_thread_is_shown_by_the_loops_own_thread(fakes) -> None:
    async def main() -> None:
        follower = SweepFollower(lambda configs: fakes.append(FakeSweep(configs)) or fakes[-1])
        panel = RacePanel(RaceConfig(threads=2, requests=2000), follower)
        writers = set()
        panel.status.observe(lambda _: writers.add(threading.get_ident()), "value")
        await asyncio.to_thread(panel.run)
        await asyncio.sleep(0)
        await asyncio.to_thread(panel.stop)
        while panel.run_button.disabled:
            await asyncio.sleep(0.01)
        assert writers == {threading.get_ident()}
        assert not fakes[0].running

    asyncio.run(asyncio.wait_for(main(), 30))


def test_inside_an_event_loop_the_real_child_is_followed_to_its_end() -> None:
    async def main() -> RacePanel:
        panel = race_panel(threads=4, spin=0, requests=2000)
        panel.run()
        while "Done" not in panel.status.value:
            await asyncio.sleep(0.05)
        return panel

    panel = asyncio.run(asyncio.wait_for(main(), 60))
    assert 'data-points="2"' in panel.figure.value


def test_stop_ends_the_real_child() -> None:
    panel = race_panel(threads=64, spin=20_000, requests=100_000)
    panel.run()
    child = psutil.Process(panel._follower._process.pid)
    panel.stop()
    assert not child.is_running()


def test_progress_inside_a_point_waits_short_of_its_end(fakes) -> None:
    follower = SweepFollower(lambda configs: fakes.append(FakeSweep(configs)) or fakes[-1])
    follower.start([RaceConfig(), RaceConfig()])
    fakes[0].say({"started": 0, "expected_seconds": 1e-9})
    follower.pump()
    follower._point_started -= 1000
    assert follower.fraction == pytest.approx(0.95 / 2)


def test_follower_refuses_a_second_start() -> None:
    follower = SweepFollower(FakeSweep)
    follower.start([RaceConfig()])
    with pytest.raises(Busy, match="press Stop"):
        follower.start([RaceConfig()])


@pytest.mark.parametrize("fields", [{"spin": 7}, {"switch_interval": 0.3}, {"requests": 5}, {"threads": 65}])
def test_values_that_no_slider_has_are_refused(fields) -> None:
    with pytest.raises(ValueError, match=r"choose"):
        race_panel(**fields)
