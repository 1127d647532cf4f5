"""A result in words: what to fix, the report, the comparison, what was tried."""

from __future__ import annotations

import asyncio
import re
import threading
import tomllib
from html.parser import HTMLParser

import pytest
from programs import Checker, Counter, Generator, LockChecker

from sharedstate.interleave import Scenario, compare
from sharedstate.interleave.show.advice import MEANING, contested, gaps, what_to_fix
from sharedstate.interleave.show.report import outcomes, report
from sharedstate.interleave.show.words import outcome_text

VISITORS = {"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")}


def visit(cls: type, **plan: object):
    """Alice and Mallory at one checker: no wrong passcode may pass."""
    room = Scenario(lambda: cls("s3cret"), VISITORS, never=lambda state, answers: answers["mallory"])
    return room.explore(**{"strategy": "all", **plan})


def count(cls: type = Counter, **plan: object):
    """Two threads add one."""
    both = {"a": lambda c: c.add(), "b": lambda c: c.add()}
    return Scenario(cls, both, never=lambda s, _: s.n != 2, observe=lambda s: s.n).explore(
        **{"strategy": "all", **plan}
    )


@pytest.fixture(scope="module")
def racy():
    return visit(Checker)


@pytest.fixture(scope="module")
def fixed():
    return visit(LockChecker)


# --- what to fix


def test_the_pair_the_gap_and_the_remedy_are_named(racy) -> None:
    pair, gap, remedy = what_to_fix(racy.verdict, racy.minimal)
    steps = racy.minimal.steps
    first, second = [step for step in steps if step.blame]
    assert pair.startswith(f"Step {steps.index(first) + 1}: {first.thread} writes input_buffer")
    assert f"Step {steps.index(second) + 1}: {second.thread} reads input_buffer" in pair and "checked" in pair
    ((before, after),) = gaps(racy.minimal)
    assert (before.thread, before.kind, after.kind) == ("mallory", "write", "read")
    assert f"between programs.py:{before.line} and programs.py:{after.line}" in gap
    assert remedy.startswith("Either hold one lock, the same one in every thread, from programs.py:")
    assert "do not share input_buffer, result" in remedy


def test_a_gap_inside_one_line_is_said_so() -> None:
    result = count()
    text = " ".join(what_to_fix(result.verdict, result.minimal))
    assert re.search(r"is interrupted inside programs\.py:\d+", text)
    assert re.search(r"around programs\.py:\d+; or do not share n", text)


def test_only_contested_fields_are_blamed(racy) -> None:
    assert contested(racy.minimal) == ["Checker.input_buffer", "Checker.result"]


def test_a_switch_that_interrupts_nobody_is_no_gap(racy) -> None:
    from dataclasses import replace

    steps = tuple(replace(step, preemption=False) for step in racy.minimal.steps[:6])
    waits = replace(racy.minimal, steps=(*steps, *racy.minimal.steps[6:]))
    assert gaps(waits) == [] and len(gaps(racy.minimal)) == 1


def test_without_a_pair_none_is_invented(racy) -> None:
    from dataclasses import replace

    steps = tuple(replace(step, blame=False) for step in racy.minimal.steps)
    said = what_to_fix("broken", replace(racy.minimal, steps=steps))
    assert said[0].startswith("No single pair")


class Tasks:
    def __init__(self) -> None:
        self.n = 0

    async def add(self) -> None:
        n = self.n
        await asyncio.sleep(0)
        self.n = n + 1


def test_tasks_are_told_of_their_await_and_of_a_lock_of_their_own() -> None:
    result = Scenario(Tasks, {"x": Tasks.add, "y": Tasks.add}, never=lambda s, _: s.n != 2).explore()
    text = " ".join(what_to_fix(result.verdict, result.minimal))
    assert "it reads n 0, and when it goes on, it writes n 1" in text
    assert "asyncio.Lock, or do not await, from test_report.py:" in text and "do not share n:" in text
    assert {step.target for kind in result.classes().kinds for step in kind.order} == {"Tasks.n"}


class Locks:
    def __init__(self) -> None:
        self.a, self.b, self.ready, self.n = threading.Lock(), threading.Lock(), False, 0

    def ab(self) -> None:
        with self.a, self.b:
            self.n += 1

    def ba(self) -> None:
        with self.b, self.a:
            self.n += 1

    def aa(self) -> None:
        with self.a, self.a:
            self.n += 1

    def wait(self) -> None:
        while not self.ready:
            pass


@pytest.mark.parametrize(
    ("bodies", "said"),
    [
        ({"x": Locks.ab, "y": Locks.ba}, "x takes a, then b; y takes b, then a. Take the locks in one order"),
        ({"x": Locks.aa}, "x waits for a, which it holds itself"),
        ({"x": Locks.wait, "y": Locks.ab}, "Nobody is left who would end this wait"),
    ],
)
def test_dead_ends_have_their_own_advice(bodies: dict, said: str) -> None:
    result = Scenario(Locks, bodies).explore("all")
    assert said in " ".join(what_to_fix(result.verdict, result.minimal))
    assert said in " ".join(result.report().split())


def test_what_is_no_failure_has_no_schedule_to_fix(fixed) -> None:
    assert what_to_fix("proved", None) == []
    assert what_to_fix(fixed.verdict, fixed.minimal) == []
    assert "Drop the bound" in what_to_fix("bounded", None)[0]
    assert "Make the program smaller" in what_to_fix("ran out", None)[0]


# --- the report


def test_the_report_has_everything_that_an_issue_needs(racy) -> None:
    text = racy.report()
    trace = racy.minimal
    assert text.splitlines()[0] == "broken: all 252 interleavings"
    for wanted in (
        MEANING["broken"], "2 threads: alice, mallory", "70 interleavings of conflicting accesses",
        "16 classes", "alice True, mallory True", "writes input_buffer 'guess'", "confirmed on real threads",
        "Flip these two and the failure is gone", trace.token, f'scenario.replay("{trace.token}")',
        trace.here, "sharedstate 0.", "GIL",
    ):  # fmt: skip
        assert wanted in text, wanted
    assert max(map(len, text.splitlines())) <= 112


def test_a_passing_program_has_a_report_without_a_schedule(fixed) -> None:
    text = fixed.report()
    assert text.startswith("proved: all 18 interleavings")
    assert MEANING["proved"] in text and "What to fix" not in text and "replay" not in text


def test_assumptions_are_in_the_report() -> None:
    class Bag:
        def __init__(self) -> None:
            self.items: list[int] = []

        def put(self) -> None:
            tomllib.load(self.items)

    result = Scenario(Bag, {"a": Bag.put, "b": Bag.put}, exceptions="answers").explore("all")
    assert result.assumptions
    assert f"Assuming:\n  {result.assumptions[0]}" in result.report()


@pytest.mark.parametrize(
    ("plan", "verdict"),
    [
        ({"strategy": "preemptions", "preemptions": 0}, "bounded"),
        ({"strategy": "all", "executions": 1}, "ran out"),
    ],
)
def test_what_is_no_proof_says_so(plan: dict, verdict: str) -> None:
    result = visit(LockChecker, **plan)
    assert result.verdict == verdict
    assert "no proof" in result.report()


def test_markdown_keeps_columns_in_fences_and_escapes_the_rest(racy) -> None:
    text = racy.report(markdown=True)
    assert text.startswith("## broken: all 252 interleavings\n")
    fences = text.split("```")
    assert len(fences) % 2 == 1
    drawn = next(part for part in fences if "answers   alice" in part)
    assert "input_buffer" in drawn and "input\\_buffer" not in drawn
    assert "input\\_buffer" in "".join(fences[::2])


def test_the_many_outcomes_are_counted_and_cut() -> None:
    result = visit(Checker)
    lines = outcomes(result)
    assert sum(int(line.split(" x ")[0].replace(",", "")) for line in lines) == result.executions
    from dataclasses import replace

    many = {((k, None), None): 1 for k in range(25)}
    assert outcomes(replace(result, counts=many))[-1] == "and 15 more"
    assert len(report(replace(result, counts=many)).splitlines()) < 70


# --- side by side


class Words(HTMLParser):
    """Checks that tags close, and keeps the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.open = "", []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag not in ("br", "col"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_racy_and_fixed_side_by_side(racy, fixed) -> None:
    both = compare(racy, fixed)
    verdict = both.rows[0]
    assert verdict.cells == ("broken", "proved") and verdict.differs
    table = {row.label: row.cells for row in both.outcomes}
    assert table["alice True, mallory True"][1] == "never"
    assert table["alice True, mallory False"][1] == "18 x"
    assert "smallest bad schedule" in both.text and racy.minimal.token in both.text
    assert max(map(len, both.text.splitlines())) <= 110
    assert "broken" in Words(both.html).text and "18 x" in Words(both._repr_html_()).text


def test_what_was_not_tried_is_not_called_never(racy) -> None:
    some = visit(LockChecker, strategy="random", executions=2)
    table = {row.label: row.cells for row in compare(racy, some).outcomes}
    assert table["alice True, mallory True"][1] == "not seen"


def test_only_what_belongs_together_is_compared(racy, fixed) -> None:
    with pytest.raises(ValueError, match="other threads"):
        compare(racy, count())
    with pytest.raises(ValueError, match="as many names"):
        compare(racy)
    with pytest.raises(ValueError, match="as many names"):
        compare(racy, fixed, names=("a", "b", "c"))
    assert compare(racy, fixed, fixed, names=("racy", "lock", "again")).rows[0].cells[2] == "proved"


# --- what was tried


def test_every_class_of_a_passing_program_is_listed(fixed) -> None:
    tried = fixed.classes()
    assert (tried.total, len(tried.kinds), tried.complete) == (2, 2, True)
    assert "2 classes in" in str(tried) and str(tried).count("alice True, mallory False") == 2
    assert {kind.order[0].thread for kind in tried.kinds} == {"alice", "mallory"}
    assert all(kind.trace.verdict == "ok" and kind.trace.token in str(tried) for kind in tried.kinds)


@pytest.mark.parametrize(("make", "classes"), [(lambda: visit(Checker), 16), (count, 4)])
def test_as_many_classes_as_brute_force_counts(make, classes: int) -> None:
    result = make()
    tried = result.classes(100)
    assert tried.total == len(tried.kinds) == classes == result.funnel().classes
    assert sum(kind.executions for kind in tried.kinds) == result.executions
    assert {kind.outcome for kind in tried.kinds} == set(result.outcomes)
    orders = {tuple((s.thread, s.kind, s.target) for s in kind.order) for kind in tried.kinds}
    assert len(orders) == classes


@pytest.mark.parametrize("cls", [Checker, LockChecker])
def test_a_reduced_search_has_the_same_classes(cls: type) -> None:
    every, reduced = visit(cls).classes(100), visit(cls, strategy="dpor").classes(100)
    assert reduced.complete and reduced.total == every.total
    orders = [{tuple((s.thread, s.kind, s.target) for s in k.order) for k in c.kinds} for c in (every, reduced)]
    assert {kind.outcome for kind in every.kinds} == {kind.outcome for kind in reduced.kinds}
    assert len(orders[0]) == len(orders[1]) == every.total


def test_a_reduced_search_rules_out_too(racy) -> None:
    some = visit(LockChecker, strategy="dpor")
    table = {row.label: row.cells for row in compare(racy, some).outcomes}
    assert table["alice True, mallory True"][1] == "never"


def test_the_limit_is_stated_and_the_simplest_come_first(racy) -> None:
    tried = racy.classes(3)
    assert len(tried.kinds) == 3 and tried.total == 16
    assert "the 3 with the fewest preemptions are shown (limit 3)" in tried.heading
    costs = [kind.trace.preemptions for kind in racy.classes(16).kinds]
    assert costs == sorted(costs)


def test_a_search_that_was_not_complete_says_so() -> None:
    tried = visit(LockChecker, strategy="random", executions=3).classes()
    assert not tried.complete and "not all interleavings were tried" in tried.heading


def test_the_tree_has_a_leaf_for_each_class(racy) -> None:
    tree = racy.classes(16).tree()
    leaves = [int(n) for n in re.findall(r"^ *= (\d+)\. ", tree, re.M)]
    assert sorted(leaves) == list(range(1, 17))
    assert sum(line.startswith("- ") for line in tree.splitlines()) == 2  # two ways to begin


def test_classes_as_html_unfold_to_their_traces(racy) -> None:
    words = Words(racy.classes(2)._repr_html_())
    assert "16 classes" in words.text and words.text.count("Token") == 2


def test_bad_limits_are_refused(racy) -> None:
    with pytest.raises(ValueError, match="limit from 1 up"):
        racy.classes(0)


def test_outcomes_in_words() -> None:
    assert outcome_text(((True, None), 3), ("b", "a")) == "a True, b None; observed 3"
    assert outcome_text(("deadlock", (("a", "waits for x"),)), ("a",)) == "deadlock (a waits for x)"
    result = Scenario(Generator, {"a": Generator.draw, "b": Generator.draw}).explore("all")
    assert len({outcome_text(o, result.threads) for o in result.outcomes}) == len(result.outcomes)
