"""Whatever a learner's code does ends in a bounded time and leaves the process as it was."""

from __future__ import annotations

import _thread
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from hashlib import pbkdf2_hmac

import pytest

from sharedstate.checks import guard
from sharedstate.checks.guard import Interrupted, run_guarded


def test_a_value_comes_back() -> None:
    outcome = run_guarded(lambda: 7)
    assert (outcome.state, outcome.value, outcome.error) == ("done", 7, None)


def test_an_endless_loop_is_stopped_and_its_line_named() -> None:
    def loop() -> None:
        while True:
            pass

    outcome = run_guarded(loop, seconds=0.2)
    assert outcome.state == "stopped"
    assert "test_guard.py, line" in outcome.line


def test_a_loop_that_swallows_the_interruption_is_stopped_all_the_same() -> None:
    swallowed: list[str] = []

    def stubborn() -> None:
        while True:
            try:
                while True:
                    pass
            except BaseException as error:
                swallowed.append(type(error).__name__)
                if len(swallowed) > 2:
                    raise

    assert run_guarded(stubborn, seconds=0.1).state == "stopped"
    assert set(swallowed) == {"Interrupted"}


def test_a_deadlock_is_left_behind_and_said_so() -> None:
    lock = threading.Lock()
    lock.acquire()
    outcome = run_guarded(lock.acquire, seconds=0.1)
    assert outcome.state == "stuck"
    lock.release()


def test_a_list_that_grows_without_end_is_stopped_long_before_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def grow() -> None:
        kept = []
        while True:
            kept.append(bytearray(2**20))

    monkeypatch.setattr(guard, "MEMORY_LIMIT", 2**28)
    begun = time.monotonic()
    outcome = run_guarded(grow, seconds=120)
    assert outcome.state == "memory" and "test_guard.py, line" in outcome.line
    assert time.monotonic() - begun < 60


def test_who_waits_for_a_process_that_computes_is_not_said_to_wait_for_ever() -> None:
    busy = [sys.executable, "-c", "import time; end = time.time() + 4\nwhile time.time() < end: pass"]
    process = subprocess.Popen(busy)
    try:
        outcome = run_guarded(process.wait, seconds=0.3)
    finally:
        process.kill()
    assert outcome.state == "stopped" or outcome.busy


def test_a_computation_that_cannot_be_stopped_is_told_from_a_deadlock() -> None:
    outcome = run_guarded(lambda: pbkdf2_hmac("sha256", b"", b"", 30_000_000), seconds=0.1)
    assert (outcome.state, outcome.busy) == ("stuck", True)
    lock = threading.Lock()
    lock.acquire()
    outcome = run_guarded(lock.acquire, seconds=0.1)
    assert (outcome.state, outcome.busy) == ("stuck", False)
    lock.release()


def test_a_second_interruption_that_ends_the_thread_before_it_says_so_is_no_deadlock() -> None:
    class Ended(guard._Worker):
        def run(self) -> None:
            pass

    worker = Ended(lambda: None)
    worker.start()
    worker.join()
    assert guard._stop(worker, set(threading.enumerate()))


def test_threads_that_the_code_started_are_stopped_too() -> None:
    def spin() -> None:
        while True:
            pass

    def start_three() -> None:
        workers = [threading.Thread(target=spin) for _ in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    before = threading.active_count()
    assert run_guarded(start_three, seconds=0.2).state == "stopped"
    _wait_for(lambda: threading.active_count() <= before)


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "did not come true"
        time.sleep(0.01)


def test_a_flood_of_output_ends_the_run_and_little_is_kept() -> None:
    def flood() -> None:
        while True:
            print("x" * 10_000)

    outcome = run_guarded(flood, seconds=5, output_limit=100_000)
    assert outcome.state == "flooded"
    assert len(outcome.output) == 100_000


def test_output_is_captured_and_the_streams_come_back() -> None:
    out, err = sys.stdout, sys.stderr
    assert run_guarded(lambda: print("said")).output == "said\n"
    assert (sys.stdout, sys.stderr) == (out, err)


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(1), KeyboardInterrupt(), RecursionError()])
def test_exceptions_come_back_as_data(error: BaseException) -> None:
    def boom() -> None:
        raise error

    outcome = run_guarded(boom)
    assert outcome.state == "raised" and outcome.error is error
    assert "raise error" in outcome.line


def test_switch_interval_hooks_and_recursion_limit_are_restored() -> None:
    def meddle() -> None:
        sys.setswitchinterval(0.5)
        sys.setrecursionlimit(5000)
        threading.settrace(lambda *_: None)
        threading.setprofile(lambda *_: None)

    before = _settings()
    assert run_guarded(meddle).state == "done"
    assert _settings() == before


def _settings() -> tuple[object, ...]:
    return (sys.getswitchinterval(), sys.getrecursionlimit(), threading.gettrace(), threading.getprofile(),
            sys.gettrace(), sys.getprofile(), signal.getsignal(signal.SIGINT))


def test_signal_handlers_are_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    with guard.restored():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_stops_the_answer_and_passes_on() -> None:
    stopped = threading.Event()
    running = threading.Event()

    def loop() -> None:
        try:
            running.set()
            while True:
                pass
        except Interrupted:
            stopped.set()
            raise

    def press() -> None:
        running.wait(10)
        _thread.interrupt_main()

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        run_guarded(loop, seconds=30)
    assert stopped.wait(5)


def test_a_thread_left_behind_does_not_stop_traced_code() -> None:
    """An interruption that nobody takes made every traced loop of the process stand still."""
    lock = threading.Lock()
    lock.acquire()
    assert run_guarded(lock.acquire, seconds=0.1).state == "stuck"
    turns = []

    def traced() -> None:
        sys.settrace(lambda frame, event, value: None if frame.f_code is not loop.__code__ else follow)
        try:
            loop()
        finally:
            sys.settrace(None)

    def follow(frame: object, event: str, value: object) -> object:
        return follow

    def loop() -> None:
        for turn in range(1000):
            turns.append(turn)

    runner = threading.Thread(target=traced, daemon=True)
    runner.start()
    runner.join(20)
    lock.release()
    assert len(turns) == 1000
