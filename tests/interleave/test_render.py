"""The drawings of a trace: marks are there, texts are escaped, nothing is too wide."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from sharedstate.interleave import show
from sharedstate.interleave.trace import Step, Trace

HOSTILE = "<script>alert('x')</script>\"&'\x1b\ud800"
ACCESSES = (
    ("write", "input_buffer", 6, "self.input_buffer = candidate"),
    ("read", "input_buffer", 9, "self.result = self.input_buffer == self.correct"),
    ("read", "correct", 9, "self.result = self.input_buffer == self.correct"),
    ("write", "result", 9, "self.result = self.input_buffer == self.correct"),
    ("read", "result", 10, "return self.result"),
)


def step(thread: str, access: int, value: str, **marks: bool | None) -> Step:
    kind, name, line, source = ACCESSES[access]
    return Step(
        thread, kind, f"PasscodeChecker.{name}", value, line, f"Cell [3], line {line}", source, **marks
    )


def checker_trace(threads: tuple[str, ...] = ("alice", "mallory"), **changes: object) -> Trace:
    """Mallory writes, Alice runs to the end, Mallory reads what Alice wrote."""
    a, m = threads[:2]
    steps = [step(m, 0, "'guess'"), step(a, 0, "'s3cret'", switch=True, preemption=True, blame=True)]
    steps += [step(a, k, "True" if k > 2 else "'s3cret'") for k in (1, 2, 3, 4)]
    steps += [step(m, 1, "'s3cret'", switch=True, blame=True)]
    steps += [step(m, k, "True" if k > 2 else "'s3cret'") for k in (2, 3, 4)]
    trace = Trace(
        threads, tuple(steps), dict.fromkeys(threads, True), True, True, "broken", None, 1, 2,
        tuple(s.thread for s in steps), "ss1-token", True,
    )  # fmt: skip
    return replace(trace, **changes)


def with_step(trace: Trace, index: int, **changes: object) -> Trace:
    steps = list(trace.steps)
    steps[index] = replace(steps[index], **changes)
    return replace(trace, steps=tuple(steps))


class Tags(HTMLParser):
    """Collects the tags, the rows' data attributes and the text of a fragment."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.rows: list[dict[str, str | None]] = []
        self.words = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if dict(attrs).get("data-step"):
            self.rows.append(dict(attrs))

    def handle_data(self, data: str) -> None:
        self.words += data


def rows_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match(r"(>>|>)?x?\s+\d+ [ !] ", line + " ")]


def test_text_has_one_row_per_step_and_at_most_ten_for_the_checker() -> None:
    rows = rows_of(show.text(checker_trace()))
    assert len(rows) == 10
    assert [int(re.search(r"\d+", row).group()) for row in rows] == list(range(1, 11))


def test_text_puts_each_thread_in_its_own_column() -> None:
    lines = show.text(checker_trace()).splitlines()
    head = next(line for line in lines if "alice" in line and "source" in line)
    rows = rows_of(show.text(checker_trace()))
    assert rows[0].index("writes") == head.index("mallory")
    assert rows[1].index("writes") == head.index("alice")


def test_short_accesses_keep_their_columns_and_many_threads_share_one() -> None:
    few = show.text(
        with_step(checker_trace(("a", "b"), steps=checker_trace(("a", "b")).steps[:1]), 0, target="x")
    )
    assert re.search(r"^ +a +b +line", few, re.MULTILINE)
    many = show.text(checker_trace(tuple(f"worker-{k}" for k in range(9))))
    assert "worker-1 writes input_buffer 'guess'" in many


def test_text_marks_exactly_the_switches_and_the_pair_to_blame() -> None:
    rows = rows_of(show.text(checker_trace()))
    assert [k for k, row in enumerate(rows, 1) if row.startswith(">>")] == [2]
    assert [k for k, row in enumerate(rows, 1) if re.match(r">\s", row)] == [7]
    assert [k for k, row in enumerate(rows, 1) if "!" in row[:10]] == [2, 7]


def test_text_shows_value_source_place_answers_and_token() -> None:
    shown = show.text(checker_trace())
    assert "writes input_buffer 'guess'" in shown
    assert "self.input_buffer = candidate" in shown
    assert "[3]:6" in shown
    assert "alice: True   mallory: True" in shown
    assert shown.splitlines()[-1].split() == ["token", "ss1-token"]


@pytest.mark.parametrize("draw", [show.text, show.html, show.svg])
def test_confirmed_is_claimed_only_when_it_was(draw: object) -> None:
    assert "confirmed on real threads" in draw(checker_trace())
    assert "confirmed on real threads" not in draw(checker_trace(confirmed=False))


@pytest.mark.parametrize("draw", [show.text, show.html, show.svg])
def test_a_switch_that_cannot_happen_today_says_so(draw: object) -> None:
    said = "cannot switch here today"
    assert said in draw(with_step(checker_trace(), 1, possible=False))
    assert said not in draw(with_step(checker_trace(), 1, possible=True))
    assert said not in draw(with_step(checker_trace(), 2, possible=False)), "step 3 is no switch"


@pytest.mark.parametrize(
    "names", [("a", "b"), ("alice", "mallory", "trent"), tuple(f"worker-{k}" for k in range(9))]
)
def test_text_is_never_wider_than_110_columns(names: tuple[str, ...]) -> None:
    trace = with_step(checker_trace(names), 3, value="x" * 300, source="y = " + "z" * 300)
    shown = show.text(replace(trace, observed="o" * 300, notes=("n" * 300,)))
    assert max(len(line) for line in shown.splitlines()) <= 110
    assert len(rows_of(shown)) == 10
    assert all(name in shown for name in names[:2])


def test_wide_characters_count_as_two_columns() -> None:
    from sharedstate.interleave.show.text import columns

    shown = show.text(with_step(checker_trace(), 0, value="'" + "口令" * 60 + "'"))
    assert max(columns(line) for line in shown.splitlines()) <= 110
    assert columns("口令e\u0301") == 5


def test_line_breaks_and_controls_in_values_do_not_break_a_row() -> None:
    shown = show.text(with_step(checker_trace(), 0, value="'a\nb\x1b[31m\tc'"))
    assert "a\\nb?[31m c" in shown
    assert len(rows_of(shown)) == 10


@pytest.mark.parametrize("field", ["value", "source", "where", "target", "kind"])
def test_html_and_svg_escape_every_text_of_a_step(field: str) -> None:
    trace = with_step(checker_trace(), 0, **{field: HOSTILE})
    for shown in (show.html(trace), show.svg(trace)):
        assert "<script" not in shown
    ET.fromstring(show.svg(trace))
    tags = Tags(show.html(trace))
    assert "script" not in tags.tags
    assert len(tags.rows) == 10


def test_html_and_svg_escape_names_answers_token_notes_verdict_and_observed() -> None:
    trace = checker_trace(
        (HOSTILE, "mallory"), token=HOSTILE, notes=(HOSTILE,), verdict=HOSTILE, observed=HOSTILE
    )
    for shown in (show.html(trace), show.svg(trace)):
        assert "<script" not in shown
    ET.fromstring(show.svg(trace))
    assert "script" not in Tags(show.html(trace)).tags


def test_html_rows_carry_data_and_marks_that_are_not_colour() -> None:
    tags = Tags(show.html(checker_trace()))
    assert [row["data-thread"] for row in tags.rows] == list(checker_trace().schedule)
    assert [k for k, row in enumerate(tags.rows, 1) if row["data-switch"] == "1"] == [2, 7]
    assert [k for k, row in enumerate(tags.rows, 1) if row["data-blame"] == "1"] == [2, 7]
    assert tags.words.count("! blame") == 2
    assert tags.words.count("switch") >= 2
    assert show.html(checker_trace()).count("repeating-linear-gradient") == 2


def test_html_sets_no_page_wide_style_and_no_dark_text_on_the_page_ground() -> None:
    shown = show.html(checker_trace())
    assert "<style" not in shown and 'class="ss-trace"' in shown
    for style in re.findall(r'style="([^"]*)"', shown):
        if re.search(r"(^|;)color:#", style):
            assert "background:#" in style, f"fixed text colour without its own ground: {style}"


def test_svg_is_well_formed_with_one_group_per_step_and_two_hatched_boxes() -> None:
    tree = ET.fromstring(show.svg(checker_trace()))
    steps = [g for g in tree.iter("{http://www.w3.org/2000/svg}g") if "data-step" in g.attrib]
    assert [g.get("data-thread") for g in steps] == list(checker_trace().schedule)
    hatched = [g.get("data-step") for g in steps if any("url(#" in (r.get("fill") or "") for r in g)]
    assert hatched == ["2", "7"] == [g.get("data-step") for g in steps if g.get("data-blame") == "1"]
    assert [g.get("data-step") for g in steps if any(t.text == "switch" for t in g)] == ["2", "7"]


def test_two_pictures_on_a_page_do_not_share_the_name_of_a_hatch() -> None:
    keys = [re.search(r'pattern id="(\w+)"', show.svg(t)).group(1) for t in (
        checker_trace(), checker_trace(token="other"), checker_trace(schedule=("alice",)))]  # fmt: skip
    assert len(set(keys)) == 3
    assert show.svg(checker_trace()) == show.svg(checker_trace())


def test_a_trace_without_steps_and_an_answer_that_raised_can_be_drawn() -> None:
    empty = checker_trace(
        steps=(), answers={}, finished=False, violated=False, verdict="unfinished", schedule=()
    )
    assert "no answer yet" in show.text(empty)
    ET.fromstring(show.svg(empty))
    assert Tags(show.html(empty)).rows == []
    raised = checker_trace(answers={"alice": ValueError("no"), "mallory": True})
    assert "alice: raised ValueError('no')" in show.text(raised)


def test_an_answer_whose_repr_fails_does_not_stop_the_drawing() -> None:
    class Rude:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    assert "<Rude without a repr>" in show.text(checker_trace(answers={"alice": Rude(), "mallory": True}))


def test_equal_initials_get_numbers() -> None:
    from sharedstate.interleave.show.words import letters

    assert letters(("alice", "mallory")) == {"alice": "A", "mallory": "M"}
    assert letters(("worker-1", "worker-2")) == {"worker-1": "1", "worker-2": "2"}


def test_what_says_nothing_is_left_out() -> None:
    trace = with_step(checker_trace(here="not today on CPython"), 0, kind="call", value="None", where="")
    text, html = show.text(trace), show.html(trace)
    assert "calls input_buffer" in text and not re.search(r"calls input_buffer\s+None", text)
    assert "calls input_buffer" in html and "calls input_buffer None" not in html and "()" not in html
    assert "here      not today on CPython" in text and "<b>Here</b> not today" in html
    assert "calls input_buffer 7" in show.text(with_step(trace, 0, value="7"))


def test_drawing_loads_nothing_outside_the_standard_library() -> None:
    code = (
        "import sys; from sharedstate.interleave import show; "
        "print([m for m in ('numpy', 'matplotlib', 'IPython', 'ipywidgets', 'torch') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
