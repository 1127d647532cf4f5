"""Deadlock, livelock and starvation: a verdict instead of an endless run, and the circle drawn."""

from __future__ import annotations

import re
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest

from sharedstate.interleave import Scenario, Step, Trace, show
from sharedstate.interleave.show.advice import what_to_fix
from sharedstate.interleave.show.knot import held, knot
from sharedstate.interleave.show.words import MOST_ROWS


class Bank:
    """Three locks; transfers take two of them."""

    def __init__(self) -> None:
        self.a, self.b, self.c = threading.Lock(), threading.Lock(), threading.Lock()
        self.again = threading.RLock()
        self.n = 0

    def ab(self) -> None:
        with self.a, self.b:
            self.n += 1

    def ba(self) -> None:
        with self.b, self.a:
            self.n += 1

    def bc(self) -> None:
        with self.b, self.c:
            self.n += 1

    def ca(self) -> None:
        with self.c, self.a:
            self.n += 1

    def twice(self) -> None:
        with self.a, self.a:
            self.n += 1

    def reentrant(self) -> None:
        with self.again, self.again:
            self.n += 1


def explore(*methods: str, **plan: object):
    """The result for one thread per method, called alice, bob, carol."""
    names = ("alice", "bob", "carol")
    bodies = {name: getattr(Bank, method) for name, method in zip(names, methods, strict=False)}
    return Scenario(Bank, bodies).explore(**plan)


def test_two_locks_in_two_orders() -> None:
    result = explore("ab", "ba")
    assert result.verdict == "deadlock"
    trace = result.minimal
    assert (trace.verdict, trace.preemptions, trace.confirmed) == ("deadlock", 1, True)
    found = knot(result.minimal)
    assert [(w.thread, w.target, w.holder) for w in found.waits] == [
        ("alice", "Bank.b", "bob"),
        ("bob", "Bank.a", "alice"),
    ]
    assert [[step.target for step in w.holds] for w in found.waits] == [["Bank.a"], ["Bank.b"]]
    assert [w.thread for w in found.cycle] == ["alice", "bob"]


@pytest.mark.parametrize(("methods", "verdict"), [(("ab", "ab"), "proved"), (("reentrant",), "proved")])
def test_one_order_and_a_reentrant_lock_do_not(methods: tuple[str, ...], verdict: str) -> None:
    result = explore(*methods)
    assert result.verdict == verdict and result.minimal is None


def test_three_locks_in_a_ring() -> None:
    result = explore("ab", "bc", "ca", strategy="preemptions")
    assert result.verdict == "deadlock"
    cycle = [w.thread for w in knot(result.minimal).cycle]
    assert cycle == ["alice", "bob", "carol"]
    assert "alice -> b -> bob -> c -> carol -> a -> alice" in show.text(result.minimal)


def test_a_thread_may_wait_for_itself() -> None:
    trace = explore("twice").minimal
    (wait,) = knot(trace).cycle
    assert (wait.thread, wait.holder) == ("alice", "alice")
    assert "which it holds itself" in show.text(trace)


def test_a_third_thread_that_waits_outside_the_circle() -> None:
    steps = [
        made("alice", "acquire", "a"), made("bob", "acquire", "b"),
        made("carol", "blocked", "a", "held by alice"), made("alice", "blocked", "b", "held by bob"),
        made("bob", "blocked", "a", "held by alice"),
    ]  # fmt: skip
    found = knot(ended(steps))
    assert [w.thread for w in found.waits] == ["carol", "alice", "bob"]
    assert [w.thread for w in found.cycle] == ["alice", "bob"]


def made(thread: str, kind: str, target: str, value: str | None = None) -> Step:
    return Step(thread, kind, target, value, 3, "bank.py, line 3", "…")


def ended(steps: list[Step], verdict: str = "deadlock") -> Trace:
    threads = tuple(dict.fromkeys(step.thread for step in steps))
    return Trace(threads, tuple(steps), {}, False, False, verdict, None, 0, 0, (), "", False)


def test_what_was_given_back_or_not_taken_is_not_held() -> None:
    steps = [
        made("a", "acquire", "x"), made("a", "acquire", "y"), made("a", "acquire", "z", "False"),
        made("a", "release", "x"), made("b", "acquire", "x"), made("a", "acquire", "y"),
        made("a", "release", "y"),
    ]  # fmt: skip
    assert [step.target for step in held(ended(steps), "a")] == ["y"]


def test_an_event_that_nobody_sets_has_no_circle() -> None:
    class Door:
        def __init__(self) -> None:
            self.open = threading.Event()
            self.n = 0

        def wait(self) -> None:
            self.open.wait()
            self.n = 1

    result = Scenario(Door, {"alice": lambda s: s.wait()}).explore()
    assert result.verdict in ("deadlock", "no progress")
    assert knot(result.minimal).cycle == () and "circle" not in show.text(result.minimal)
    assert knot(Scenario(Bank, {"alice": lambda s: s.ab()}).play(["alice*"])) is None


def test_a_thread_that_is_joined_and_needs_what_the_other_keeps() -> None:
    class Parent:
        def __init__(self) -> None:
            self.lock, self.n = threading.Lock(), 0

        def child(self) -> None:
            with self.lock:
                self.n += 1

        def join(self) -> None:
            child = threading.Thread(target=self.child)
            with self.lock:
                child.start()
                child.join()

    trace = Scenario(Parent, {"alice": Parent.join}).explore().minimal
    found = knot(trace)
    alice, child = found.cycle
    assert (alice.target, alice.holder) == (child.thread, child.thread)
    text = " ".join(show.text(trace).split())
    assert f"waits for {child.thread} (" in text and "to end" in text
    assert f"in a circle: alice -> {child.thread} -> lock -> alice" in text
    ET.fromstring(show.svg(trace))
    assert "keeps lock: give it back before you join" in " ".join(what_to_fix("deadlock", trace))


def test_a_semaphore_taken_twice() -> None:
    class Gate:
        def __init__(self) -> None:
            self.one, self.n = threading.Semaphore(1), 0

        def twice(self) -> None:
            with self.one, self.one:
                self.n += 1

    trace = Scenario(Gate, {"alice": Gate.twice}).explore().minimal
    assert [w.thread for w in knot(trace).cycle] == ["alice"] and "it holds itself" in show.text(trace)


def test_the_circle_is_in_text_html_and_svg() -> None:
    trace = explore("ab", "ba").minimal
    place = rf"{__file__.rpartition('/')[2]}:\d+".replace(".", r"\.")
    text = show.text(trace)
    assert re.search(rf"alice holds a \({place}\), waits for b \({place}\), which bob holds", text)
    assert "in a circle: alice -> b -> bob -> a -> alice" in text
    svg = ET.fromstring(show.svg(trace))
    group = next(g for g in svg.iter() if g.get("class") == "ss-knot")
    words = [t.text for t in group.iter() if t.tag.endswith("text")]
    assert sorted(words) == sorted(["alice", "b", "bob", "a", "waits for", "held by", "waits for", "held by"])
    assert '<g class="ss-knot"' in show.html(trace) and "which bob holds" in show.html(trace)
    for k, rect in enumerate(r for r in group.iter() if r.tag.endswith("rect")):
        assert float(rect.get("x")) >= -1, k


def test_names_in_the_circle_are_escaped() -> None:
    steps = [made("<b>", "acquire", "x&y"), made("<b>", "blocked", "x&y", "held by <b>")]
    trace = ended(steps)
    ET.fromstring(show.svg(trace))
    assert "<b> holds" not in show.html(trace) and "&lt;b&gt; holds x&amp;y" in show.html(trace)


# --- no progress


class Flags:
    def __init__(self) -> None:
        self.ready = self.stop = False
        self.one = self.two = True
        self.n = 0

    def wait(self) -> None:
        while not self.ready:
            pass

    def write(self) -> None:
        self.n = 1

    def busy(self) -> None:
        while not self.stop:
            self.n += 1

    def after_you(self) -> None:
        while self.two:
            self.one = False
            self.one = True

    def no_after_you(self) -> None:
        while self.one:
            self.two = False
            self.two = True


def flags(**bodies: Callable) -> Scenario:
    return Scenario(Flags, bodies)


def test_a_wait_loop_that_nobody_ends() -> None:
    result = flags(a=Flags.wait, b=Flags.write).explore()
    assert result.verdict == "no progress" and result.coverage == "the only class"  # what b writes, a does not look at
    text = show.text(result.minimal)
    assert "waits for ready" in text and "waits for waits" not in text
    assert all(o[0] == "no progress" for o in result.outcomes)


@pytest.mark.parametrize("first", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(
    "bodies",
    [{"a": Flags.wait, "b": Flags.busy}, {"a": Flags.after_you, "b": Flags.no_after_you}],
    ids=["starvation", "livelock"],
)
def test_starvation_and_livelock_end_within_the_bound(bodies: dict, first: bool) -> None:
    started = time.monotonic()
    result = flags(**bodies).explore(executions=3, first=first)
    assert result.verdict == "no progress"
    assert result.executions <= 3
    assert time.monotonic() - started < 60  # it ends; how fast is not the question
    assert len(show.text(result.minimal).splitlines()) < MOST_ROWS


def test_a_long_trace_is_shortened_and_keeps_its_numbers() -> None:
    trace = flags(a=Flags.busy).play(["a*200"])
    rows = [line for line in show.text(trace).splitlines() if re.match(r" {3} +\d+ ", line)]
    numbers = [int(line.split()[0]) for line in rows]
    assert numbers[:60] == list(range(1, 61)) and numbers[-20:] == list(range(181, 201))
    assert "120 more steps" in show.text(trace) and "200 steps" in show.text(trace)
    for shown in (show.html(trace), show.svg(trace)):
        assert "120 more steps" in shown and 'data-step="200"' in shown and 'data-step="100"' not in shown
