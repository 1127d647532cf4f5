"""The harness counts exactly, hides no exception, prints nothing and leaves no trace."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading

import psutil
import pytest

from sharedstate.passcodes import (
    RIGHT,
    WRONG,
    NeverCameBack,
    PriceConfig,
    PriceResult,
    RaceConfig,
    RaceResult,
    SweepFailed,
    SweepProcess,
    gap_sweep,
    measure_price,
    measure_race,
    predict_rate,
    run_sweep,
    table,
    thread_sweep,
)
from sharedstate.passcodes.checkers import FIXED
from sharedstate.passcodes.config import count_interval
from sharedstate.passcodes.measure import _shares, switch_interval
from sharedstate.passcodes.price import GAPS, REQUESTS, WORDS
from sharedstate.passcodes.price_worker import PriceProcess
from sharedstate.passcodes.sweep import _environment


class Recorder:
    """Answers by a rule and remembers what it was asked, by thread."""

    def __init__(self, rule) -> None:
        self.rule, self.asked = rule, []

    def check(self, candidate: str) -> bool:
        self.asked.append((threading.get_ident(), candidate))
        return self.rule(candidate)


def race(rule, **fields):
    made = []
    config = RaceConfig(**{"threads": 4, "requests": 101, "spin": 0, **fields})
    result = measure_race(config, lambda: made.append(Recorder(rule)) or made[-1], limit=20)
    return result, made[-1].asked


@pytest.mark.parametrize(
    "rule, accepts, rejects",
    [
        (lambda c: c == RIGHT, 0, 0),
        (lambda c: True, 50, 0),
        (lambda c: False, 0, 51),
        (lambda c: c == WRONG, 50, 51),
    ],
)
def test_false_accepts_and_false_rejects_are_counted_exactly(rule, accepts: int, rejects: int) -> None:
    result, asked = race(rule)
    assert (result.false_accepts, result.false_rejects) == (accepts, rejects)
    assert len(asked) == result.requests == 101
    assert sum(c == RIGHT for _, c in asked) == 51


def test_every_thread_gets_its_share() -> None:
    assert [n for _, n in _shares(10, 4)] == [2, 3, 2, 3]
    assert sum(n for _, n in _shares(1, 64)) == 1
    gathered = threading.Barrier(4)

    class Meeting(Recorder):
        def check(self, candidate: str) -> bool:
            if sum(ident == threading.get_ident() for ident, _ in self.asked) == 0 and armed:
                gathered.wait(20)  # passes only when four different threads are inside
            return super().check(candidate)

    armed = []
    made = []

    def make() -> Meeting:
        made.append(Meeting(lambda c: c == RIGHT))
        if len(made) == 2:  # the first one is used to time the gap, by one thread
            armed.append(True)
        return made[-1]

    measure_race(RaceConfig(threads=4, requests=40, spin=0), make, limit=30)
    assert len({ident for ident, _ in made[-1].asked}) == 4


def test_a_workers_exception_is_raised_and_the_interval_put_back() -> None:
    before = sys.getswitchinterval()

    def rule(candidate: str) -> bool:
        if in_worker():
            raise ZeroDivisionError("from a worker")
        return True

    with pytest.raises(ZeroDivisionError, match="from a worker") as caught:
        race(rule, switch_interval=0.25)
    assert "worker-" in caught.value.__notes__[0]
    assert sys.getswitchinterval() == before


def test_the_interval_is_set_during_the_race() -> None:
    seen = set()

    def rule(candidate: str) -> bool:
        if in_worker():
            seen.add(round(sys.getswitchinterval(), 6))
        return candidate == RIGHT

    race(rule, switch_interval=0.25)
    assert seen == {0.25}


def test_a_worker_that_never_ends_is_reported_in_bounded_time() -> None:
    door = threading.Event()

    def rule(candidate: str) -> bool:
        if in_worker():
            door.wait(60)
        return True

    before = sys.getswitchinterval()
    with pytest.raises(NeverCameBack, match="stay closed"):
        measure_race(RaceConfig(threads=2, requests=4), lambda: Recorder(rule), limit=0.2)
    door.set()
    assert sys.getswitchinterval() == before


def in_worker() -> bool:
    return threading.current_thread().name.startswith("worker-")


def test_workers_stop_early_once_the_measurement_has_failed() -> None:
    door, asked = threading.Event(), []

    def rule(candidate: str) -> bool:
        if in_worker():
            asked.append(threading.current_thread())
            door.wait(60)
        return True

    with pytest.raises(NeverCameBack):
        measure_race(RaceConfig(threads=2, requests=2000), lambda: Recorder(rule), limit=0.2)
    door.set()
    for thread in list(asked):
        thread.join(20)
    assert len(asked) == 2


def test_an_exception_is_raised_although_another_worker_hangs() -> None:
    door = threading.Event()

    def rule(candidate: str) -> bool:
        if threading.current_thread().name == "worker-0":
            door.wait(300)
        elif in_worker():
            raise ZeroDivisionError("from worker-1")
        return True

    with pytest.raises(ZeroDivisionError, match="from worker-1"):
        race(rule, threads=2)
    door.set()


def test_nobody_starts_before_everybody_is_there(monkeypatch) -> None:
    early, asked = [], []

    class LastOneIsSlow(threading.Thread):
        def start(self) -> None:
            if self.name == "worker-3":
                threading.Event().wait(0.2)  # time for the others to begin, if nothing held them
                early.extend(asked)
            super().start()

    def rule(candidate: str) -> bool:
        if in_worker():
            asked.append(candidate)
        return candidate == RIGHT

    monkeypatch.setattr("sharedstate.passcodes.measure.threading.Thread", LastOneIsSlow)
    race(rule)
    assert early == [] and len(asked) == 101


def test_too_many_threads_for_the_machine_is_a_clear_error(monkeypatch) -> None:
    started = []

    class Scarce(threading.Thread):
        def start(self) -> None:
            if len(started) == 3:
                raise RuntimeError("can't start new thread")
            started.append(self)
            super().start()

    monkeypatch.setattr("sharedstate.passcodes.measure.threading.Thread", Scarce)
    with pytest.raises(RuntimeError, match="only 3 threads"):
        measure_race(RaceConfig(threads=8, requests=8), lambda: Recorder(lambda c: True))
    for thread in started:
        thread.join(20)
        assert not thread.is_alive()


def test_workers_print_nothing(capsys) -> None:
    measure_race(RaceConfig(threads=8, requests=200, spin=10, checker="sleep0"))
    assert capsys.readouterr() == ("", "")


def test_switch_interval_is_put_back_after_an_exception() -> None:
    before = sys.getswitchinterval()
    with pytest.raises(KeyError), switch_interval(0.125):
        assert sys.getswitchinterval() == 0.125
        raise KeyError
    assert sys.getswitchinterval() == before


@pytest.mark.parametrize(
    "fields, error, words",
    [
        ({"threads": 1}, ValueError, "from 2 to 64"),
        ({"threads": 65}, ValueError, "from 2 to 64"),
        ({"threads": 8.0}, TypeError, "threads must be int"),
        ({"threads": True}, TypeError, "threads must be int"),
        ({"requests": 0}, ValueError, "1,000,000"),
        ({"requests": 1_000_001}, ValueError, "1,000,000"),
        ({"spin": -1}, ValueError, "100,000"),
        ({"spin": 100_001}, ValueError, "100,000"),
        ({"switch_interval": 0}, ValueError, "1e-06"),
        ({"switch_interval": float("nan")}, ValueError, "1e-06"),
        ({"switch_interval": "5 ms"}, TypeError, "float"),
        ({"checker": "turtle"}, ValueError, "no_spin"),
    ],
)
def test_bad_settings_name_the_legal_range(fields, error, words) -> None:
    with pytest.raises(error, match=words):
        RaceConfig(**fields)


def test_the_formula() -> None:
    assert predict_rate(10e-6, 0.005) == pytest.approx(0.0005)
    assert predict_rate(1.0, 0.005) == 0.25
    assert predict_rate(0.0, 0.005) == 0.0
    with pytest.raises(ValueError, match="above zero"):
        predict_rate(1.0, 0.0)


def simulated(interval: float, threads: int, requests: int = 20_000) -> float:
    """False accepts per request in a model of threads that take turns, each for `interval` gaps of time.

    A visitor writes, stays in the gap for one unit of time, and compares; half of the words are right.
    """
    draw = random.Random(1)
    words, left, board, accepts, done = [True] * threads, [0.0] * threads, True, 0, 0
    while done < requests:
        who, turn = draw.randrange(threads), interval * draw.uniform(0.5, 1.5)
        while turn > 0:
            if left[who] <= 0:
                words[who], left[who] = draw.random() < 0.5, 1.0
                board = words[who]
            spent = min(turn, left[who])
            left[who], turn = left[who] - spent, turn - spent
            if left[who] <= 0:
                accepts += board and not words[who]
                done += 1
    return accepts / done


@pytest.mark.parametrize("threads", [4, 16])
@pytest.mark.parametrize("interval", [100.0, 20.0, 5.0])
def test_the_formula_holds_in_a_model_while_the_interval_is_longer_than_the_gap(interval: float, threads: int) -> None:
    assert simulated(interval, threads) == pytest.approx(predict_rate(1.0, interval), rel=0.3)


def test_below_the_gap_no_more_than_a_quarter_goes_wrong() -> None:
    assert simulated(0.2, 8) == pytest.approx(predict_rate(1.0, 0.2), rel=0.1)


@pytest.mark.parametrize(("events", "low", "high"), [(0, 0, 3.69), (1, 0.0253, 5.57), (10, 4.80, 18.39),
                                                     (20, 12.22, 30.89), (100, 81.36, 121.63)])
def test_a_count_lies_between_the_exact_limits_of_poisson(events: int, low: float, high: float) -> None:
    found = count_interval(events)
    assert found[0] == pytest.approx(low, rel=0.05, abs=0.02) and found[1] == pytest.approx(high, rel=0.02)


def test_a_result_survives_the_journey_between_processes() -> None:
    result = RaceResult(RaceConfig(threads=2), 2000, 3, 5, 0.5, 1e-5)
    assert RaceResult.from_dict(result.as_dict()) == result
    assert (result.per_100k, result.rejects_per_100k) == (150, 250)
    assert result.predicted_per_100k == pytest.approx(50)
    assert "3 false accepts, 5 false rejects (150 and 250" in str(result)
    lines = table([result, result]).splitlines()
    assert len(lines) == 3 and len({len(line) for line in lines}) == 1


# -- The price of a repair: right shapes, bad input refused, what a worker raises is passed on. No time is asserted.


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


# -- A sweep in a child process: results arrive, Stop is a kill, the child never outlives its parent.


QUICK = RaceConfig(requests=20, spin=0)
ENDLESS = RaceConfig(requests=1_000_000, spin=100_000)  # hours


def follow(sweep: SweepProcess) -> list[dict]:
    events = []
    pause = threading.Event()
    for _ in range(1200):
        events += sweep.events()
        if not sweep.running:
            return events
        pause.wait(0.05)
    raise AssertionError(f"the sweep did not end: {events}")


def test_results_arrive_in_order_and_one_by_one() -> None:
    configs, seen = thread_sweep((2, 4, 8), QUICK), []
    results = run_sweep(configs, seen.append)
    assert [r.config for r in results] == configs
    assert seen == results
    assert all(r.requests == 20 for r in results)


def test_stop_kills_the_child_in_the_middle_of_a_point() -> None:
    stop, children = threading.Event(), set()

    def started() -> None:
        while not children:
            children.update(p for p in psutil.Process().children() if "worker" in " ".join(p.cmdline()))
        stop.set()

    threading.Thread(target=started, daemon=True).start()
    assert run_sweep([ENDLESS], stop=stop) == []
    assert not any(child.is_running() for child in children)


def test_kill_keeps_nothing_alive_and_may_be_repeated() -> None:
    sweep = SweepProcess([ENDLESS])
    child = psutil.Process(sweep.pid)
    sweep.kill()
    sweep.kill()
    assert not child.is_running() and not sweep.running
    assert sweep.events() == []


def test_a_killed_child_is_an_error_that_says_so() -> None:
    sweep = SweepProcess([ENDLESS])
    psutil.Process(sweep.pid).kill()
    assert "ended early (exit code" in follow(sweep)[-1]["error"]


def test_an_error_in_the_child_reaches_the_caller() -> None:
    config = RaceConfig(requests=20, spin=0)
    object.__setattr__(config, "threads", 1000)
    with pytest.raises(SweepFailed, match="threads=1000 is out of range"):
        run_sweep([config])


def test_a_callback_that_raises_ends_the_child() -> None:
    def refuse(result) -> None:
        raise InterruptedError("enough")

    with pytest.raises(InterruptedError, match="enough"):
        run_sweep([QUICK, ENDLESS], refuse)
    assert not [p for p in psutil.Process().children() if "passcodes.worker" in " ".join(p.cmdline())]


def test_the_worker_leaves_when_its_standard_input_closes() -> None:
    command = [sys.executable, "-m", "sharedstate.passcodes.worker"]
    order = {"configs": [{"requests": 1_000_000, "spin": 100_000}]}
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment()
    )
    child.stdin.write(json.dumps(order) + "\n")
    child.stdin.flush()
    assert "started" in child.stdout.readline()
    child.stdin.close()
    assert child.wait(60) == 0
    child.stdout.close()


def test_sweeps_vary_one_thing() -> None:
    assert [c.threads for c in thread_sweep()] == [2, 4, 8, 16, 32, 64]
    assert {c.requests for c in thread_sweep()} == {100_000}
    assert {(c.threads, c.requests) for c in gap_sweep(base=QUICK)} == {(8, 20)}
