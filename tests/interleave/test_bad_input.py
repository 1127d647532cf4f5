"""Learners' code that loops, raises, prints, cheats or is not there: a clear word in bounded time."""

from __future__ import annotations

import _thread
import builtins
import concurrent.futures
import io
import linecache
import queue
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import pytest
from programs import Checker, Counter

from sharedstate.interleave import Scenario
from sharedstate.interleave.execution import ScenarioError, SetupNotReset
from sharedstate.interleave.sites import NotModelled
from sharedstate.interleave.source import lookup as source
from sharedstate.interleave.source.tokens import TokenRefused


class Flags:
    """Things to wait for."""

    made = 0
    log: list = []  # noqa: RUF012 - shared by all instances, on purpose

    def __init__(self) -> None:
        self.ready = False
        self.n = 0
        self.lock = threading.Lock()
        self.rlock = threading.RLock()
        self.event = threading.Event()
        self.queue: queue.Queue = queue.Queue()
        self.condition = threading.Condition()
        self.slots = threading.Semaphore(1)


def explore(*threads: Callable, **more: Any) -> Any:
    """Explore these threads on the flags."""
    strategy = more.pop("strategy", "all")
    executions = more.pop("executions", 3000)
    scenario = Scenario(Flags, {f"t{i}": t for i, t in enumerate(threads)}, **more)
    return scenario.explore(strategy, executions=executions)


# -- loops --------------------------------------------------------------------------------------------


def wait_for_ready(s: Flags) -> str:
    while not s.ready:
        pass
    return "go"


def set_ready(s: Flags) -> None:
    s.ready = True


def forever(s: Flags) -> None:
    s.n = 1
    while True:
        pass


def counting_forever(s: Flags) -> None:
    n = 0
    while True:
        n += 1


def long_range(s: Flags) -> None:
    for _ in range(10**12):
        pass


def writing_forever(s: Flags) -> None:
    while True:
        s.n += 1


def endless_iterator(s: Flags) -> None:
    for _ in iter(int, 1):
        pass


def test_a_wait_loop_that_somebody_ends() -> None:
    result = explore(wait_for_ready, set_ready)
    assert result.verdict == "proved"
    assert result.outcomes == {(("go", None), None)}


def test_a_wait_loop_that_nobody_ends() -> None:
    result = explore(wait_for_ready, lambda s: s.n)
    assert result.verdict == "no progress"
    assert "waits in a loop (test_bad_input.py, line " in str(result.outcomes)
    assert result.minimal.verdict == "no progress"


def test_a_wait_loop_with_a_counter_is_not_mistaken() -> None:
    def impatient(s: Flags) -> str:
        tries = 0
        while not s.ready:
            tries += 1
            if tries == 3:
                return "gave up"
        return "go"

    assert {o[0][0] for o in explore(impatient, set_ready).outcomes} == {"gave up", "go"}


@pytest.mark.parametrize("loop", [forever, counting_forever, writing_forever], ids=lambda f: f.__name__)
def test_endless_loops_end_in_a_verdict(loop: Callable) -> None:
    begin = time.monotonic()
    result = explore(loop, strategy="preemptions", executions=3)
    assert result.verdict == "no progress"
    assert time.monotonic() - begin < 30


def test_a_range_that_is_too_long() -> None:
    result = explore(long_range)
    assert result.verdict == "ran out"
    assert "turned 100,000 times without an end" in result.coverage


# -- exceptions, output ------------------------------------------------------------------------------


def test_an_exception_is_the_answer() -> None:
    def divide(s: Flags) -> float:
        return 1 / s.n

    result = explore(divide, lambda s: setattr(s, "n", 1), never=lambda s, a: isinstance(a["t0"], ZeroDivisionError))
    assert result.verdict == "broken"
    assert result.outcomes == {(("ZeroDivisionError: division by zero", None), None), ((1.0, None), None)}
    assert isinstance(result.minimal.answers["t0"], ZeroDivisionError)


@pytest.mark.parametrize("error", [SystemExit(3), StopIteration(4), GeneratorExit("own")], ids=repr)
def test_unusual_exceptions_are_answers_too(error: BaseException) -> None:
    def leave(s: Flags) -> None:
        s.n += 1
        raise error

    trace = Scenario(Flags, {"a": leave}).play(["a*"])
    assert type(trace.answers["a"]) is type(error)


def test_a_missing_attribute_and_a_missing_key() -> None:
    def ask(s: Flags) -> Any:
        return s.nothing

    trace = Scenario(Flags, {"a": ask}).play(["a*"])
    assert isinstance(trace.answers["a"], AttributeError)
    assert trace.steps[0].value == "raises"


def test_endless_recursion() -> None:
    def deeper(s: Flags) -> int:
        s.n += 1
        return deeper(s)

    assert "RecursionError" in str(explore(deeper).outcomes)


def test_output_is_dropped_while_exploring() -> None:
    def loud(s: Flags) -> None:
        print("x" * 100_000, s.n)

    out = io.StringIO()
    with redirect_stdout(out):
        explore(loud, loud)
        assert sys.stdout is out
    assert out.getvalue() == ""


def test_wrong_predicates_are_named() -> None:
    with pytest.raises(ScenarioError, match=r"never\(state, answers\) raised KeyError"):
        explore(set_ready, never=lambda s, a: a["bob"])
    with pytest.raises(ScenarioError, match=r"always\(state\) raised AttributeError"):
        explore(set_ready, always=lambda s: s.nope)
    with pytest.raises(ScenarioError, match=r"observe\(state\) raised AttributeError"):
        explore(set_ready, observe=lambda s: s.nope)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Scenario(3, {"a": print}), "setup must be a function, not int"),
        (lambda: Scenario(Flags, {"a": 3}), "a must be a function"),
        (lambda: Scenario(Flags, {}), "threads must be a dictionary"),
        (lambda: Scenario(Flags, {"a b": print}), "one word"),
        (lambda: Scenario(Flags, {f"t{i}": print for i in range(27)}), "at most 26"),
        (lambda: Scenario(Flags, {"a": set_ready}).explore("dfs"), "strategy must be one of"),
        (lambda: Scenario(Flags, {"a": set_ready}).explore(preemptions=-1), "preemptions must be"),
        (lambda: Scenario(Flags, {"a": set_ready}).explore(executions=0), "must be positive"),
        (lambda: Scenario(Flags, {"a": set_ready}).replay("race-00000000-a", on="paper"), "on must be"),
        (lambda: Scenario(Flags, {"a": set_ready}).play(["a"]).show("pdf"), "format must be one of"),
    ],
)
def test_wrong_arguments(make: Callable, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


# -- waiting for other things ------------------------------------------------------------------------


def test_event_semaphore_queue_wait() -> None:
    def waits(s: Flags) -> Any:
        s.event.wait()
        return s.queue.get(), s.n

    def gives(s: Flags) -> None:
        s.n = 1
        s.queue.put("gift")
        s.event.set()

    assert explore(waits, gives).outcomes == {((("gift", 1), None), None)}
    assert explore(waits).verdict == "deadlock"

    def slot(s: Flags) -> int:
        with s.slots:
            s.n += 1
        return 0

    assert {o for _, o in explore(slot, slot, observe=lambda s: s.n).outcomes} == {2}


def test_rlock() -> None:
    def twice(s: Flags) -> None:
        with s.rlock, s.rlock:
            s.n += 1

    result = explore(twice, twice, observe=lambda s: s.n)
    assert (result.verdict, {o for _, o in result.outcomes}) == ("proved", {2})


def test_what_is_not_modelled_is_an_error_not_a_hang() -> None:
    def waits(s: Flags) -> None:
        concurrent.futures.ProcessPoolExecutor(1).submit(len, "")

    with pytest.raises(NotModelled, match=r"ProcessPoolExecutor.submit is not modelled; use a Lock"):
        explore(waits)


def test_hidden_code_that_waits_for_a_held_lock() -> None:
    """A helper without source takes the lock for real while a simulated thread holds it."""
    scope: dict = {}
    exec("def hidden(state):\n    with state.lock:\n        return 1\n", scope)
    hidden = scope["hidden"]

    def takes(s: Flags) -> None:
        with s.lock:
            s.n += 1

    def helps(s: Flags) -> int:
        return hidden(s)

    with pytest.raises(NotModelled, match="hidden waits for something that another thread holds"):
        explore(takes, helps)


# -- what qualifies a verdict -------------------------------------------------------------------------


def test_nothing_shared_and_not_instrumented() -> None:
    nothing = explore(lambda s: 1, lambda s: 2)
    assert (nothing.verdict, nothing.coverage) == ("proved", "nothing is shared")
    scope: dict = {}
    exec("def hidden(s):\n    s.n += 1\n", scope)
    assert explore(scope["hidden"], scope["hidden"]).verdict == "not instrumented"


def test_known_builtins_are_no_assumption_and_key_functions_are_followed() -> None:
    def shuffles(s: Counter) -> None:
        s.items = [1]
        s.items.append(2)
        s.items.sort(key=lambda x: -x)

    assert Scenario(Counter, {"a": shuffles}).explore().assumptions == ()


def test_not_deterministic() -> None:
    generator = random.Random(1)

    def draw(s: Flags) -> None:
        s.n = generator.random()

    assert explore(draw, set_ready).verdict == "not deterministic"


def test_a_setup_that_does_not_reset_a_class_attribute() -> None:
    def count(s: Flags) -> None:
        Flags.made += 1

    with pytest.raises(SetupNotReset, match=r"setup does not reset Flags.made"):
        explore(count)


HITS = 0
SHARED = Flags()


def test_a_setup_that_does_not_reset_a_global() -> None:
    def count(s: Flags) -> None:
        global HITS
        HITS += 1

    with pytest.raises(SetupNotReset, match=r"setup does not reset HITS"):
        explore(count)


def test_a_setup_that_gives_the_same_object_again() -> None:
    def count(s: Flags) -> None:
        s.n += 1

    with pytest.raises(SetupNotReset, match=r"setup does not reset Flags.n"):
        Scenario(lambda: SHARED, {"a": count, "b": count}).explore()


# -- dropped schedules and interrupts ---------------------------------------------------------------


def test_a_dropped_schedule_runs_no_line_of_the_learner() -> None:
    seen = []

    def stubborn(s: Flags) -> None:
        while True:
            try:
                with s.lock, s.lock:
                    seen.append("inside")
            except:  # noqa: E722 - a learner writes this
                seen.append("except")
            finally:
                seen.append("finally")

    result = Scenario(Flags, {"a": stubborn, "b": stubborn}).explore()
    assert result.verdict == "deadlock"
    assert seen == []
    assert result.minimal.confirmed


def test_a_global_lock_is_free_again() -> None:
    lock = threading.Lock()

    def grab(s: Flags) -> None:
        lock.acquire()
        lock.acquire()

    for _ in range(2):
        assert explore(grab, grab).verdict == "deadlock"
        assert not lock.locked()


def threads_left(expected: int) -> int:
    """How many threads there are, once those that are ending have ended (at most a second)."""
    for _ in range(100):
        if threading.active_count() == expected:
            break
        time.sleep(0.01)
    return threading.active_count()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_leaves_nothing_behind() -> None:
    """Ctrl-C at many moments: no thread, no hook, no held lock, and the next exploration is right."""
    lock = threading.Lock()

    def work(s: Flags) -> None:
        with lock:
            s.n += 1

    def kept(s: Flags) -> list:
        values = (x for x in [s.n, s.n])
        with lock:
            s.n += 1
        return list(values)

    before = (builtins.print, threading.Lock, sys.gettrace(), threading.active_count(), sys.stdout)
    for threads in ((work, work, work), (work, kept)):
        for delay in (0.001, 0.005, 0.02, 0.05, 0.1):
            scenario = Scenario(Flags, {f"t{i}": t for i, t in enumerate(threads)})
            timer = threading.Timer(delay, _thread.interrupt_main)
            try:
                timer.start()
                while timer.is_alive():  # an interrupt can also get lost, in a finaliser
                    scenario.explore()
            except KeyboardInterrupt:
                pass
            timer.join()
            assert not lock.locked()
            now = (builtins.print, threading.Lock, sys.gettrace(), threads_left(before[3]), sys.stdout)
            assert now == before, threading.enumerate()
    assert {o for _, o in explore(work, work, observe=lambda s: s.n).outcomes} == {2}


def test_nothing_of_the_learner_is_changed() -> None:
    check, code = Checker.check, Checker.check.__code__
    Scenario(lambda: Checker("a"), {"a": lambda c: c.check("a")}).explore()
    assert Checker.check is check and check.__code__ is code


# -- the notebook -------------------------------------------------------------------------------------

CELLS = [
    "class Board:\n    def __init__(self):\n        self.text = ''\n    def say(self, word):\n"
    "        self.text = word\n        return self.text",
    "from sharedstate.interleave import Scenario\nroom = Scenario(Board, "
    "{'a': lambda b: b.say('A'), 'b': lambda b: b.say('B')}, never=lambda b, r: r['a'] != 'A')",
    "result = room.explore()",
]


def test_a_class_defined_in_a_notebook_cell() -> None:
    """In a process of its own, because an InteractiveShell is one per process."""
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\nshell = InteractiveShell.instance()\n"
        f"for cell in {CELLS!r}:\n    assert shell.run_cell(cell, store_history=True).success\n"
        "r = shell.user_ns['result']\nprint(r.verdict, r.executions, r.minimal.steps[0].where, r.minimal.confirmed)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split("\n")[-2] == "broken 4 Cell [1], line 5 True", done.stdout + done.stderr


def test_an_executed_cell_in_linecache() -> None:
    name = "lesson.py cell 3"
    source = "\n" + CELLS[0] + "\n"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope: dict = {}
    exec(compile(source, name, "exec"), scope)
    result = Scenario(scope["Board"], {"a": lambda b: b.say("A")}).explore()
    assert (result.verdict, result.executions) == ("proved", 1)
    trace = Scenario(scope["Board"], {"a": lambda b: b.say("A")}).play(["a*"])
    assert trace.steps[0].where == "lesson.py cell 3, line 6"


class Unlucky:
    """Cannot be hashed, and says so in its own way."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __hash__(self) -> int:
        raise RuntimeError("hash")


def test_an_answer_that_fails_when_it_is_hashed() -> None:
    result = explore(lambda s: Unlucky(), set_ready)
    assert result.verdict == "proved"
    assert {answers[0] for answers, _ in result.outcomes} == {"<Unlucky>"}


@pytest.mark.parametrize("runs", ["a999999999999", "a" + "9" * 5000, "a11000b11000", "ab" * 11000])
def test_a_token_for_more_steps_than_there_can_be(runs: str) -> None:
    with pytest.raises(TokenRefused, match="20,000 steps"):
        Scenario(Flags, {"a": set_ready, "b": set_ready}).replay(f"race-01234567-{runs}")


@pytest.mark.parametrize("token", [None, 7, b"race-01234567-a", ["race-01234567-a"]])
def test_a_token_that_is_no_text(token: object) -> None:
    with pytest.raises(TokenRefused, match="is not a token"):
        Scenario(Flags, {"a": set_ready}).replay(token)  # type: ignore[arg-type]


def test_a_count_with_thousands_of_digits() -> None:
    with pytest.raises(ScenarioError, match="is not a move"):
        Scenario(Flags, {"a": set_ready}).play(["a*" + "9" * 5000])


def test_settings_that_the_code_under_test_changes_are_put_back() -> None:
    def unruly(s: Flags) -> None:
        s.n += 1
        sys.setswitchinterval(0.5)
        sys.setprofile(lambda *_: None)

    interval, profile = sys.getswitchinterval(), sys.getprofile()
    room = Scenario(Flags, {"a": unruly, "b": unruly}, never=lambda s, answers: s.n != 2)
    result = room.explore()
    assert result.minimal is not None
    room.play(["a*", "b*"])
    assert (sys.getswitchinterval(), sys.getprofile()) == (interval, profile)


def test_source_is_parsed_again_when_threads_upset_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """CPython 3.11 counts the depth of a tree in one place: two threads at once end in a SystemError."""
    honest, upsets = source.ast.parse, [SystemError("AST constructor recursion depth mismatch")] * 3

    def parse(text: str) -> object:
        if upsets:
            raise upsets.pop()
        return honest(text)

    monkeypatch.setattr(source.ast, "parse", parse)
    assert source.parse("1").body and not upsets
