"""The second witness: finds races in untouched code, blames no right program, leaves nothing behind."""

from __future__ import annotations

import _thread
import asyncio
import contextvars
import functools
import io
import multiprocessing.pool
import queue
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import pytest

from sharedstate.interleave.witness import LEARNING, Report, witness

RIGHT = {(False,)}
GLOBAL_LOCK, FIRST, SECOND, AGAIN = threading.Lock(), threading.Lock(), threading.Lock(), threading.RLock()
GLOBAL_QUEUE: queue.Queue = queue.Queue()
LOCAL = threading.local()
NUMBER = contextvars.ContextVar("NUMBER", default=0)


def here(code: Any) -> bool:
    """Follow the code of this file."""
    return code.co_filename == __file__


def look(setup: Callable, threads: dict[str, Callable], never: Callable[[Any, dict], bool], **options: Any) -> Report:
    """The witness, where the only known outcome is that nothing bad happened."""
    options = {"follow": here, "seconds": 20.0} | options
    return witness(setup, threads, lambda state, answers: (bool(never(state, answers)),), RIGHT, **options)


def raised(state: Any, answers: dict) -> bool:
    """Some thread ended with an exception."""
    return any(isinstance(answer, BaseException) for answer in answers.values())


class Shop:
    """State with one of each kind of thing that two threads can quarrel about."""

    def __init__(self) -> None:
        self.free = ["1A"]
        self.n = 0
        self.ends = [0, 10]
        self.rows = memoryview(bytearray(4))
        self.waiting: list[str] = []
        self.by = {"a": 1, "b": 2}
        self.jobs = deque([1, 2])
        self.log: tuple = ()
        self.lock = threading.Lock()
        self.rlock = threading.RLock()

    def take(self) -> Any:
        if self.free:
            return self.free.pop()
        return None

    def add(self) -> None:
        self.n += 1

    def shift(self) -> None:
        self.ends[0] += 5
        self.ends[1] += 5

    def width(self) -> int:
        low, high = self.ends
        return high - low

    def fill(self) -> None:
        row = self.rows[:2]
        row[0] += 1

    def flush(self) -> list:
        batch = [*self.waiting]
        self.waiting.clear()
        return batch

    def big(self) -> list:
        return [key for key, value in self.by.items() if value]

    def drain(self) -> None:
        while self.jobs:
            self.jobs.popleft()

    def write(self, who: str) -> None:
        self.log += (who,)

    def __invert__(self) -> int:
        self.n = self.n + 1
        return self.n

    def deep(self, levels: int = 60) -> None:
        if levels:
            return self.deep(levels - 1)
        return self.add()


RACES: dict[str, tuple[dict[str, Callable], Callable]] = {
    "truth test": ({"a": Shop.take, "b": Shop.take}, raised),
    "increment": ({"a": Shop.add, "b": Shop.add}, lambda s, an: s.n != 2),
    "unpacking": ({"a": Shop.shift, "b": Shop.width}, lambda s, an: an["b"] != 10),
    "view": ({"a": Shop.fill, "b": Shop.fill}, lambda s, an: s.rows[0] != 2),
    "star": (
        {"a": lambda s: s.waiting.append("r"), "b": Shop.flush},
        lambda s, an: "r" not in s.waiting and "r" not in an["b"],
    ),
    "items": ({"a": Shop.big, "b": lambda s: s.by.update(c=3)}, raised),
    "while": ({"a": Shop.drain, "b": Shop.drain}, raised),
    "tuple": ({"a": lambda s: s.write("a"), "b": lambda s: s.write("b")}, lambda s, an: len(s.log) != 2),
    "operator": ({"a": lambda s: ~s, "b": lambda s: ~s}, lambda s, an: an["a"] == an["b"]),
    "recursion": ({"a": Shop.deep, "b": Shop.deep}, lambda s, an: s.n != 2),
    "f-string": ({"a": Shop.shift, "b": lambda s: f"{s.ends}"}, lambda s, an: an["b"] == "[5, 10]"),
    "three": ({"a": Shop.add, "b": Shop.add, "c": Shop.add}, lambda s, an: s.n == 1),
}


def locked(call: Callable) -> Callable:
    """The same under the state's lock."""

    def under(state: Shop) -> Any:
        with state.lock:
            return call(state)

    return under


@pytest.mark.parametrize("kind", RACES)
@pytest.mark.parametrize("seed", [0, 7_000])
def test_race_is_found(kind: str, seed: int) -> None:
    threads, never = RACES[kind]
    report = look(Shop, threads, never, seed=seed)
    assert report.ran and report.why == "" and report.sighting is not None, report
    assert report.sighting.outcome == (True,)
    assert report.schedules <= 300


@pytest.mark.parametrize("kind", RACES)
def test_the_locked_version_is_never_blamed(kind: str) -> None:
    threads, never = RACES[kind]
    report = look(Shop, {name: locked(call) for name, call in threads.items()}, never)
    assert report.ran and report.sighting is None and report.schedules == 300 and report.why == "", report


def test_numpy_row_view() -> None:
    numpy = pytest.importorskip("numpy", reason="needs numpy, which an interpreter without wheels lacks")

    def bump(cache: Any) -> None:
        cache[0][0] += 1

    report = look(lambda: numpy.zeros((2, 2)), {"a": bump, "b": bump}, lambda cache, an: cache[0, 0] != 2)
    assert report.sighting is not None


def test_local_state_is_never_blamed() -> None:
    def own(state: Shop) -> int:
        mine = Shop()
        mine.add()
        return mine.n

    report = look(Shop, {"a": own, "b": own}, lambda s, an: an != {"a": 1, "b": 1})
    assert report.ran and report.sighting is None and report.schedules == 300


def test_same_seed_same_sighting_and_the_sighting_s_seed_runs_it_again() -> None:
    first, second = (look(Shop, *RACES["truth test"], seed=42) for _ in range(2))
    assert first.sighting == second.sighting and first.schedules == second.schedules
    assert first.sighting is not None and first.schedules > LEARNING
    again = look(Shop, *RACES["truth test"], seed=first.sighting.seed, schedules=LEARNING + 1)
    assert again.sighting == first.sighting
    assert {look(Shop, *RACES["truth test"], seed=n * 100).sighting for n in range(5)} != {first.sighting}


def test_the_schedule_reads_well() -> None:
    sightings = [look(Shop, *RACES["truth test"], seed=n * 100).sighting for n in range(20)]
    rows = min((s.schedule.splitlines() for s in sightings if s is not None), key=len)
    assert 3 <= len(rows) <= 5, rows
    assert all(row.split(" ran ")[0] in "ab" for row in rows)
    assert " stops before " in rows[0] and f" in take, {__file__.rpartition('/')[2]}:" in rows[0] + rows[1]
    assert rows[-1].endswith("ends")
    assert all(len(s.schedule.splitlines()) <= 12 for s in sightings if s is not None)


def test_a_long_schedule_is_cut_in_the_middle() -> None:
    def spread(who: str) -> Callable:
        return lambda state: [state.waiting.append(who) for _ in range(20)] and None

    def often(state: Shop, answers: dict) -> bool:
        return sum(a != b for a, b in zip(state.waiting, state.waiting[1:], strict=False)) > 12

    sighting = look(Shop, {"a": spread("a"), "b": spread("b")}, often).sighting
    assert sighting is not None
    rows = sighting.schedule.splitlines()
    assert len(rows) == 12 and rows[6].endswith(" more turns …") and int(rows[6].split()[1]) >= 2
    assert rows[-1].endswith("ends")


def test_only_followed_code_is_parted() -> None:
    report = look(Shop, *RACES["increment"], follow=lambda code: code.co_name == "nothing")
    assert report.ran and report.sighting is None


@pytest.mark.parametrize(
    ("acquire", "never"),
    [
        (lambda s: s.lock, lambda s, an: s.n != 2),
        (lambda s: s.rlock, lambda s, an: s.n != 2),
        (lambda s: GLOBAL_LOCK, lambda s, an: s.n != 2),
        (lambda s: AGAIN, lambda s, an: s.n != 2),
    ],
)
def test_locks_of_every_origin(acquire: Callable, never: Callable) -> None:
    def add(state: Shop) -> None:
        with acquire(state):
            state.add()

    report = look(Shop, {"a": add, "b": add}, never)
    assert report.ran and report.sighting is None and report.schedules == 300 and report.why == ""
    assert report.seconds < 5, "no lock blocked for real"
    assert type(GLOBAL_LOCK) is _thread.LockType and not GLOBAL_LOCK.locked()


def test_names_and_default_factories_that_hold_the_lock_s_maker() -> None:
    @dataclass
    class State:
        a: Any = field(default_factory=threading.Lock)
        b: Any = field(default_factory=Lock)
        n: int = 0

    def add(state: State) -> None:
        with state.a, state.b:
            state.n += 1

    report = look(State, {"a": add, "b": add}, lambda s, an: s.n != 2)
    assert (report.ran, report.sighting, report.schedules, report.why) == (True, None, 300, "")
    assert Lock is threading.Lock and report.seconds < 5


def test_locks_still_are_what_isinstance_says() -> None:
    def kinds(state: Shop) -> tuple:
        return (
            isinstance(state.lock, type(threading.Lock())),
            isinstance(state.lock, _thread.LockType),
            isinstance(state.rlock, type(threading.RLock())),
            isinstance(threading.Condition(), threading.Condition),
            state.lock.locked(),
            repr(state.lock).startswith("<unlocked"),
            state.lock.acquire(timeout=0) and not state.lock.acquire(False) and not state.lock.acquire(timeout=0),
        )

    report = look(Shop, {"a": kinds}, lambda s, an: an["a"] != (True, True, True, True, False, True, True))
    assert report.ran and report.sighting is None


def test_condition_queue_semaphore_and_barrier() -> None:
    class Desk:
        def __init__(self) -> None:
            self.box: queue.Queue = queue.Queue(1)
            self.simple: queue.SimpleQueue = queue.SimpleQueue()
            self.few = threading.Semaphore(1)
            self.gate = threading.Barrier(2)
            self.changed = threading.Condition()
            self.n = 0

    def give(desk: Desk) -> None:
        for item in range(3):
            desk.box.put(item)
        desk.simple.put("x")
        desk.gate.wait()
        with desk.changed:
            desk.n = 1
            desk.changed.notify_all()

    def take(desk: Desk) -> list:
        got = [desk.box.get() for _ in range(3)] + [desk.simple.get()]
        desk.gate.wait()
        with desk.changed:
            desk.changed.wait_for(lambda: desk.n == 1)
        with desk.few:
            return got

    report = look(Desk, {"a": give, "b": take}, lambda d, an: an != {"a": None, "b": [0, 1, 2, "x"]})
    assert (report.ran, report.sighting, report.schedules, report.why) == (True, None, 300, "")
    assert report.seconds < 5


def test_a_condition_asked_with_if_is_found() -> None:
    class Box:
        def __init__(self) -> None:
            self.changed = threading.Condition()
            self.items: list[int] = []

        def get(self) -> int:
            with self.changed:
                if not self.items:
                    self.changed.wait()
                return self.items.pop()

        def put(self) -> None:
            with self.changed:
                self.items.append(1)
                self.changed.notify_all()

    report = look(Box, {"a": Box.get, "b": Box.get, "p": Box.put}, raised)
    assert report.sighting is not None and "waits in get" in report.sighting.schedule


def test_timeouts_may_run_out_and_take_no_time() -> None:
    def waiter(event: threading.Event) -> bool:
        return event.wait(timeout=3600)

    report = look(threading.Event, {"a": waiter, "b": threading.Event.set}, lambda e, an: not an["a"])
    assert report.sighting is not None and report.seconds < 5

    def patient(box: queue.Queue) -> float:
        before = time.monotonic()
        time.sleep(1000)
        with pytest.raises(queue.Empty):
            box.get(timeout=500)
        return time.monotonic() - before

    report = look(queue.Queue, {"a": patient}, lambda q, an: not 1499 < an["a"] < 1600, schedules=20)
    assert report.ran and report.sighting is None and report.seconds < 5


def test_deadlock_is_counted_not_judged() -> None:
    def one(state: Shop) -> None:
        with FIRST, SECOND:
            state.add()

    def two(state: Shop) -> None:
        with SECOND, FIRST:
            state.add()

    report = look(Shop, {"a": one, "b": two}, lambda s, an: s.n != 2 and not raised(s, an))
    ended = look(Shop, {"a": one}, lambda s, an: s.n != 1)
    assert report.ran and report.schedules > 100 and report.seconds < 5
    assert not FIRST.locked() and not SECOND.locked() and ended.sighting is None and ended.why == ""
    stuck = look(Shop, {"a": lambda s: s.lock.acquire() and s.lock.acquire()}, lambda s, an: True)
    assert stuck.ran and stuck.schedules == 300 and stuck.sighting is None
    assert threading.active_count() == 1


def test_a_spinner_s_partner_goes_on() -> None:
    def spin(state: Shop) -> bool:
        while not state.n:
            pass
        return True

    report = look(Shop, {"a": spin, "b": Shop.add, "c": spin}, lambda s, an: an != {"a": True, "b": None, "c": True})
    assert (report.ran, report.sighting, report.schedules) == (True, None, 300)


@pytest.mark.parametrize("handler", [Exception, BaseException])
def test_an_endless_loop_is_given_up_even_where_it_catches_everything(handler: type[BaseException]) -> None:
    def spin(state: Shop) -> None:
        while True:
            try:  # noqa: SIM105 - contextlib.suppress is another program
                state.n += 1
            except handler:
                pass

    report = look(Shop, {"a": spin, "b": Shop.take}, lambda s, an: True, seconds=0.5)
    assert not report.ran and report.sighting is None and report.schedules == 0
    assert "given up: it ran for 100,000 instructions" in report.why
    assert report.seconds < 5
    assert threading.active_count() == 1
    assert look(Shop, *RACES["increment"]).sighting is not None, "and the next witness is well"


def test_a_real_lock_blocks_for_a_moment_only() -> None:
    def setup() -> Any:
        state = Shop()
        state.lock = _thread.allocate_lock()  # not one of threading's: not patched
        return state

    def add(state: Shop) -> None:
        with state.lock:
            state.add()

    report = look(setup, {"a": add, "b": add}, lambda s, an: s.n != 2, schedules=12)
    assert (report.ran, report.sighting, report.schedules) == (True, None, 12)
    lost = look(setup, {"a": add, "b": Shop.add}, lambda s, an: s.n != 2)
    assert lost.sighting is not None


def test_real_blocking_for_ever_is_given_up() -> None:
    blocker = _thread.allocate_lock()
    blocker.acquire()

    def block(state: Shop) -> None:
        hidden()

    hidden = functools.partial(lambda take: take(), iter([blocker.acquire]).__next__())
    report = look(Shop, {"a": block, "b": Shop.add}, lambda s, an: True, seconds=0.1)
    assert not report.ran and "given up: a thread was blocked for real" in report.why
    assert report.seconds < 3
    for _ in range(100):  # it comes back, finds that its schedule is over, and ends
        if threading.active_count() == 1:
            break
        if blocker.locked():
            blocker.release()
        time.sleep(0.01)
    assert threading.active_count() == 1


def test_exceptions_of_any_kind_are_answers_and_nothing_is_printed(capfd: pytest.CaptureFixture) -> None:
    def work(error: type[BaseException]) -> Callable:
        def raising(state: Shop) -> None:
            print("noise")
            print("noise", file=sys.stderr)
            raise error("x")

        return raising

    errors = {"a": ValueError, "b": SystemExit, "c": KeyboardInterrupt}
    report = look(Shop, {k: work(e) for k, e in errors.items()}, lambda s, an: {k: type(an[k]) for k in an} != errors)
    assert report.ran and report.sighting is None and report.schedules == 300
    assert capfd.readouterr() == ("", "")


def world() -> dict[str, Any]:
    """All that a witness may have touched."""
    names = ("Lock", "RLock", "_allocate_lock", "_counter", "_time", "_active")
    kept = {name: vars(threading)[name] for name in names} | {"start": threading.Thread.start}
    kept |= {"join": threading.Thread.join, "alive": threading.Thread.is_alive}
    kept["another witness"] = hasattr(threading, "_second_witness")
    kept |= {name: vars(time)[name] for name in ("sleep", "time", "monotonic", "perf_counter")}
    kept |= {"queue": queue.SimpleQueue, "qtime": queue.time, "signal": signal.signal, "Lock here": Lock}  # type: ignore[attr-defined]
    kept |= {"threads": threading.enumerate(), "trace": sys.gettrace(), "threading trace": threading.gettrace()}
    kept |= {"out": sys.stdout, "err": sys.stderr, "interval": sys.getswitchinterval(), "hook": threading.excepthook}
    kept |= {"loop": asyncio.BaseEventLoop.__init__, "pool": multiprocessing.pool.Pool.__init__, "lock": GLOBAL_LOCK}
    kept |= {"mutex": GLOBAL_QUEUE.mutex, "acquire": GLOBAL_QUEUE.not_empty.acquire, "profile": sys.getprofile()}
    if sys.version_info >= (3, 12):
        kept |= {f"tool {n}": sys.monitoring.get_tool(n) for n in range(6)}
    return kept


def test_nothing_is_left_behind() -> None:
    before = world()

    def use(state: Shop) -> None:
        with GLOBAL_LOCK:
            GLOBAL_QUEUE.put(1)
            GLOBAL_QUEUE.get()
            sys.stdout = io.StringIO()
            time.sleep(1)
            threading.Thread(target=state.add).start()

    for never in (lambda s, an: False, lambda s, an: True, lambda s, an: 1 / 0):
        look(Shop, {"a": use, "b": use}, never, schedules=30)
        after = world()
        assert {k: v for k, v in before.items() if after[k] != v} == {}


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also where the tests run in the background, which ignore it from birth."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_interrupts_of_the_caller_pass_through_after_cleaning_up(interruptible: None) -> None:
    before = world()

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        look(interrupted, {"a": Shop.add}, lambda s, an: False)
    assert world() == before

    def spin(state: Shop) -> None:
        while True:
            state.n += 1

    alarm = threading.Timer(0.1, _thread.interrupt_main)
    alarm.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            look(Shop, {"a": spin, "b": spin}, lambda s, an: False)
    alarm.join()
    assert world() == before


def test_where_something_stands_in_the_way_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def why(threads: dict[str, Callable], setup: Callable = Shop, never: Callable = lambda s, an: True) -> str:
        report = look(setup, threads, never)
        assert not report.ran and report.sighting is None and threading.active_count() == 1
        return report.why

    async def task(state: Shop) -> None:
        pass

    assert why({}) == "there are no threads"
    assert why({"a": task}) == "its threads are coroutines, which change hands only at await"
    assert "asyncio loop" in why({"a": lambda s: asyncio.run(task(s))})
    assert why({"a": lambda s: multiprocessing.pool.ThreadPool(1)}) == "it makes a pool of multiprocessing"
    assert why({"a": lambda s: signal.signal(signal.SIGTERM, signal.SIG_DFL)}) == "it uses signals"
    assert why({"a": lambda s: _thread.start_new_thread(int, ())}) == "it starts a thread without threading"
    assert "ZeroDivisionError" in why({"a": Shop.add}, setup=lambda: 1 / 0)
    assert "ZeroDivisionError" in why({"a": Shop.add}, never=lambda s, an: 1 / 0)
    assert why({"a": Shop.add}, setup=lambda: queue.Queue().get()) == "setup or outcome waits for a thread"
    assert look(Shop, {"a": Shop.add}, raised, schedules=0).why == "there was no time for a schedule"
    inside = look(Shop, {"a": lambda s: look(Shop, {"a": Shop.add}, raised).ran}, lambda s, an: an["a"] is not False)
    assert inside.ran and inside.sighting is None
    for maker in {"_start_new_thread", "_start_joinable_thread"} & set(vars(threading)):

        def fail(*args: object, **keywords: object) -> None:
            raise RuntimeError("can't start new thread")

        monkeypatch.setattr(threading, maker, fail)
    assert why({"a": Shop.add}) == "no threads here: can't start new thread"


def test_where_another_tool_traces_it_does_not_run() -> None:
    def tracer(frame: object, event: str, arg: object) -> None:
        return None

    for trace in (sys.settrace, threading.settrace):
        old = sys.gettrace() if trace is sys.settrace else threading.gettrace()
        trace(tracer)
        try:
            report = look(Shop, *RACES["increment"])
        finally:
            trace(old)  # type: ignore[arg-type]
        assert not report.ran and "another tool owns tracing" in report.why
    if sys.version_info >= (3, 12):
        for number in (3, 4):
            sys.monitoring.use_tool_id(number, "test")
        try:
            report = look(Shop, *RACES["increment"])
            assert not report.ran and "ids of sys.monitoring" in report.why
        finally:
            for number in (3, 4):
                sys.monitoring.free_tool_id(number)
    assert look(Shop, *RACES["increment"]).sighting is not None


def test_threads_that_are_started_inside() -> None:
    def family(state: Shop) -> tuple:
        children = [threading.Thread(target=state.add) for _ in range(2)]
        for child in children:
            child.start()
        for child in children:
            child.join()
        with pytest.raises(RuntimeError):
            children[0].start()
        return [child.is_alive() for child in children], children[0].name

    report = look(Shop, {"main": family}, lambda s, an: an["main"] != ([False, False], "Thread-1 (add)"))
    assert report.ran and report.sighting is None, "each schedule numbers its threads anew"
    assert look(Shop, {"main": family}, lambda s, an: s.n != 2).sighting is not None

    def pool(state: Shop) -> list:
        with ThreadPoolExecutor(2) as executor:
            futures = [executor.submit(locked(Shop.add), state) for _ in range(2)]
            return [future.result() for future in futures]

    report = look(Shop, {"main": pool}, lambda s, an: s.n != 2 or an["main"] != [None, None], seconds=5)
    assert report.ran and report.sighting is None and report.why == ""


def test_a_daemon_need_not_end() -> None:
    def main(state: Shop) -> int:
        def serve() -> None:
            while True:
                time.sleep(1)

        threading.Thread(target=serve, daemon=True).start()
        threading.Thread(target=state.lock.acquire).start()
        threading.Thread(target=state.lock.acquire).start()
        return 1

    report = look(Shop, {"main": main}, lambda s, an: an["main"] != 1, schedules=50)
    assert (report.ran, report.sighting, report.schedules) == (True, None, 50)
    assert threading.active_count() == 1


def test_each_part_runs_as_on_a_new_thread() -> None:
    def fresh(state: Shop) -> tuple:
        LOCAL.n = getattr(LOCAL, "n", 0) + 1
        NUMBER.set(NUMBER.get() + 1)
        return LOCAL.n, NUMBER.get(), threading.current_thread().name

    wrong = lambda s, an: an != {"a": (1, 1, "a"), "b": (1, 1, "b")}  # noqa: E731
    report = look(Shop, {"a": fresh, "b": fresh}, wrong)
    assert report.ran and report.sighting is None and report.schedules == 300


def test_it_takes_its_share_of_time_only() -> None:
    def long(state: Shop) -> None:
        for _ in range(300):
            state.n += 1

    report = look(Shop, {"a": long, "b": long}, lambda s, an: False, schedules=10**6, seconds=0.3)
    assert report.ran and 0.3 < report.seconds < 3 and report.schedules > LEARNING
