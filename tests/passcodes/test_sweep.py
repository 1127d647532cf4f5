"""A sweep in a child process: results arrive, Stop is a kill, the child never outlives its parent."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import psutil
import pytest

from sharedstate.passcodes import RaceConfig, SweepFailed, SweepProcess, gap_sweep, run_sweep, thread_sweep
from sharedstate.passcodes.sweep import _environment

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
