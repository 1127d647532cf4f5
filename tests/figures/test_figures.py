"""Every figure: its message is its title, its texts fit and do not collide, no colour stands alone."""

from __future__ import annotations

import itertools
import subprocess
import sys
import warnings
from dataclasses import replace

import nbformat.v4 as v4
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text
from nbconvert import HTMLExporter

from sharedstate import figures, palette
from sharedstate.figures import style
from sharedstate.influence.matrix import LETTERS, Influence
from sharedstate.interleave.result import Result
from sharedstate.interleave.trace import Step
from sharedstate.passcodes import FREE_THREADED
from tests.figures.gallery import (
    FIGURES,
    FIXED,
    FUNNEL,
    OUTCOMES,
    POINTS,
    RACY,
    REFUSING,
    SOURCE,
    UNITS,
    causal,
    explored,
    flat,
    gaps,
    matrix,
    result,
    stuck,
    trace,
)

BUILDERS = pytest.mark.parametrize("build", list(FIGURES.values()), ids=list(FIGURES))


def texts(figure: Figure) -> list[Text]:
    """Every text that is drawn: visible, not empty, ticks within the axes' limits."""
    found = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    for ax in figure.axes:
        if not ax.axison:
            ticks = {id(t) for axis in (ax.xaxis, ax.yaxis) for t in axis.findobj(Text)}
            found = [t for t in found if id(t) not in ticks]
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            hidden = {id(t.label1) for t in axis.get_major_ticks() if not low <= t.get_loc() <= high}
            found = [t for t in found if id(t) not in hidden]
    return found


@BUILDERS
def test_texts_stay_inside_and_do_not_overlap(build: object) -> None:
    figure = build()
    figure.png(100)
    frame = figure.bbox.padded(1)
    boxes = [(t.get_text(), t.get_window_extent()) for t in texts(figure)]
    for words, box in boxes:
        assert frame.contains(box.x0, box.y0) and frame.contains(box.x1, box.y1), (
            f"{words!r} leaves the figure"
        )
    for (one, a), (two, b) in itertools.combinations(boxes, 2):
        assert not a.padded(-1.5).overlaps(b.padded(-1.5)), f"{one!r} lies on {two!r}"


@BUILDERS
def test_message_is_the_title_and_letters_are_large_enough_at_400_pixels(build: object) -> None:
    figure = build()
    assert figure.message
    assert "".join(figure.get_suptitle().split()) == "".join(figure.message.split())
    smallest = min(t.get_fontsize() for t in texts(figure))
    assert smallest * 400 / (72 * min(figure.get_figwidth(), 6.4)) >= 8.6


@BUILDERS
def test_drawn_the_same_twice_and_without_a_warning(build: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert build().svg() == build().svg()


def test_every_public_figure_is_in_this_gallery() -> None:
    drawn = {name.partition(",")[0] for name in FIGURES}
    assert drawn == set(figures.__all__) - {"CourseFigure", "caption"}


def test_drawing_leaves_pyplot_and_the_settings_alone() -> None:
    code = (
        "import sys, sharedstate.figures as f; assert 'matplotlib' not in sys.modules; import matplotlib; "
        "rc = matplotlib.rcParams; "
        "now = lambda: {k: rc[k] for k in rc if k != 'backend'}; before = now(); "
        "f.whiteboard().svg(); f.whiteboard().png(); "
        "assert now() == before; print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr


def test_a_notebook_gets_a_picture_and_the_message() -> None:
    data, _ = DisplayFormatter().format(figures.whiteboard())
    assert "src=\"data:image/png;base64,iVBORw0KGgo" in data["text/html"]
    assert data["text/plain"] == "Figure: One board, no door: all read what was written last"
    assert "width:600px" in data["text/html"]


def test_the_message_is_the_alternative_text_in_an_export_too() -> None:
    data, _ = DisplayFormatter().format(figures.course_map(['00_<"start">']))
    output = v4.new_output("display_data", data=dict(data))
    page, _ = HTMLExporter().from_notebook_node(v4.new_notebook(cells=[v4.new_code_cell("1", outputs=[output])]))
    assert f'<img alt="{figures.course_map(["00_x"]).message}"' in page


def test_caption_is_one_emphasised_line() -> None:
    assert figures.caption(" Two lanes. ").data == "*Two lanes.*"


def hatches(figure: Figure) -> set[str]:
    return {p.get_hatch() for ax in figure.axes for p in [*ax.patches, *ax.collections] if p.get_hatch()}


@pytest.mark.parametrize(
    "name",
    ["loss_bars", "interleaving", "outcomes", "flaky_runs", "accepts_and_rejects",
     "free_threaded"],
)
def test_a_leak_is_hatched(name: str) -> None:
    assert any("/" in hatch for hatch in hatches(FIGURES[name]()))


def test_a_title_of_two_lines_leaves_no_word_alone() -> None:
    lines = style.balanced("PasscodeChecker: 4 leaks; AlwaysNo: 2 lost; OneDoor: clean", 54)
    assert len(lines) == 2 and min(len(line) for line in lines) > 20
    assert style.balanced("One line", 54) == ["One line"]


def test_a_title_can_be_given() -> None:
    assert figures.race_sweep(flat(), title="Flat").message == "Flat"


def test_titles_follow_the_numbers() -> None:
    assert figures.race_sweep(flat() + gaps()).message == "Threads are not the knob: time in the gap is"
    rising = [result(n, 10 * n) for n in (2, 4, 8, 16, 32, 64)]
    assert "not" not in figures.race_sweep(rising).message
    assert "not" not in figures.race_sweep(rising + gaps()).message
    assert figures.flaky_runs([0, 0, 3]).message == "2 of 3 runs of 2,000 requests saw nothing wrong"
    assert "about one right passcode" in figures.accepts_and_rejects(flat()).message
    assert "about one" not in figures.accepts_and_rejects([result(8, 80, rejects=0)]).message
    no_gil = [row for row in FREE_THREADED if not row.gil]
    assert "Without the GIL" not in figures.free_threaded(no_gil).message
    assert (
        figures.outcomes(OUTCOMES, bad=("alice True, mallory True",)).message
        == "56 of 252 interleavings end badly"
    )
    assert figures.funnel(FUNNEL).message == "252 interleavings, only 16 that differ"


def test_few_events_give_no_verdict_and_every_count_has_its_interval() -> None:
    few = figures.race_sweep([result(2, 3), result(4, 9), result(8, 7)])
    assert few.message == "Too few to tell: 19 events in all, ask for more requests"
    assert "Too few" not in figures.race_sweep([result(2, 3), result(4, 9), result(8, 8)]).message
    (whiskers,) = {len(ax.collections) for ax in few.axes}
    assert whiskers == 3


def test_one_plot_can_be_asked_for_whatever_was_measured() -> None:
    for plot, label in (("threads", "threads"), ("gap", "time in the gap ÷ switch interval")):
        (ax,) = figures.race_sweep(flat()[:1], plot=plot).axes
        assert ax.get_xlabel() == label


def test_interleaving_says_who_hurts_whom() -> None:
    assert figures.interleaving(trace()).message == "Mallory reads what Alice wrote: 2 switches are enough"
    unblamed = trace(steps=10)
    unblamed = replace(unblamed, steps=tuple(replace(s, blame=False) for s in unblamed.steps))
    framed = [p for p in figures.interleaving(unblamed).axes[0].patches if p.get_linewidth() == 2.2]
    assert len(framed) == 2
    assert figures.interleaving(unblamed).message == "Mallory reads what Alice wrote: 2 switches are enough"
    assert "no harm" in figures.interleaving(trace(violated=False, verdict="ok")).message
    assert "nobody can move" in figures.interleaving(trace(3, verdict="deadlock", finished=False)).message
    words = [t.get_text() for t in texts(figures.interleaving(trace()))]
    assert words.count("switch") == 2
    assert sum(w.endswith("  !") for w in words) == 2


def test_interleaving_names_a_lost_update_without_blame() -> None:
    kinds = (("anna", "read"), ("ben", "read"), ("ben", "write"), ("anna", "write"))
    steps = tuple(
        Step(who, kind, "Cafe.sold", "1", 1, "", "", switch=k in (1, 3))
        for k, (who, kind) in enumerate(kinds)
    )
    lost = replace(trace(0), threads=("anna", "ben"), steps=steps, answers={"anna": 1, "ben": 1})
    assert figures.interleaving(lost).message == "Anna overwrites what Ben wrote: 2 switches are enough"
    apart = replace(lost, steps=(steps[1], steps[2], steps[0], steps[3]))
    assert figures.interleaving(apart).message == "It breaks: 2 switches are enough"


def test_sweep_draws_the_formula_and_the_popular_sketch() -> None:
    left, right = figures.race_sweep(flat() + gaps()).axes
    dashed = [line for line in left.lines if line.get_linestyle() == "--"]
    assert len(dashed) == 1 and list(dashed[0].get_ydata()) == sorted(dashed[0].get_ydata())
    assert any("popular text" in t.get_text() for t in left.texts)
    formula = next(line for line in right.lines if line.get_linestyle() == "-")
    for x, y in zip(formula.get_xdata(), formula.get_ydata(), strict=True):
        assert y == pytest.approx(25_000 * x)
    plain = figures.race_sweep(flat(), popular=False).axes[0]
    assert not [line for line in plain.lines if line.get_linestyle() == "--"]


def test_plain_dicts_do_as_well_and_a_missing_field_is_named() -> None:
    assert figures.race_sweep([r.as_dict() for r in flat()]).message == figures.race_sweep(flat()).message
    with pytest.raises(KeyError, match="false_rejects"):
        figures.accepts_and_rejects([{"config": {"threads": 2}, "requests": 10, "false_accepts": 1}])


def test_an_older_record_has_a_bar_for_each_question_that_it_answers() -> None:
    record: dict[str, object] = {"spin_ratio": 118.0, "exhaustive_ratio_3": 203.0}
    record["spread"] = dict.fromkeys(record, 1.5)
    axes = figures.peers(record).axes[0]
    assert [round(bar.get_width()) for bar in axes.patches] == [118, 203]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["whole search, with a loop", "whole search, 3 threads"]
    with pytest.raises(ValueError, match="random_ratio"):
        figures.peers({"spread": {}})


@pytest.mark.parametrize("call", [
    lambda: figures.race_sweep([]), lambda: figures.flaky_runs([]), lambda: figures.accepts_and_rejects([]),
    lambda: figures.funnel(dict.fromkeys(FUNNEL)), lambda: figures.free_threaded(FREE_THREADED, spin=3),
    lambda: figures.mask_grid({}, "None"), lambda: figures.memory_map({"none": []}, "None"),
    lambda: figures.request_errors({}, "None"), lambda: figures.oracle_matrix({}),
])  # fmt: skip
def test_nothing_to_draw_is_said(call: object) -> None:
    with pytest.raises(ValueError, match=r"at least one|explore first|Recorded: 20, 1000"):
        call()


def test_a_deadlock_is_a_ring_of_threads_and_locks() -> None:
    figure = figures.deadlock(stuck("alice", "bob"))
    words = [t.get_text() for t in texts(figure)]
    assert {"alice", "bob", "alice's lock", "bob's lock"} <= set(words)
    assert (words.count("waits for"), words.count("held by")) == (2, 2)
    assert figure.message == "Alice and Bob wait for one another, for ever"
    with pytest.raises(ValueError, match="no circle"):
        figures.deadlock(trace())
    with pytest.raises(ValueError, match="nothing failed"):
        figures.deadlock(None)


def test_a_comparison_tells_what_a_proof_leaves_from_what_it_rules_out() -> None:
    figure = figures.compare([explored("broken", 3), explored("proved", 1)])
    marked = [text for text in figure.axes[0].texts if text.get_text().startswith(palette.WRONG)]
    assert len(figure.axes[0].lines) == 6 and len(marked) == 2
    assert figure.message == "How many outcomes are possible: racy 3, fixed 1"
    with pytest.raises(ValueError, match="as many names"):
        figures.compare([explored("proved", 1)])


def test_switch_points_marks_the_lines_and_says_when_there_is_none_inside() -> None:
    figure = figures.switch_points(POINTS, SOURCE, 7)
    assert figure.message == "Once inside, this Python can switch at 1 line only"
    assert [t.get_text() for t in texts(figure) if t.get_text().startswith("⇄")] == [
        "⇄ on entry",
        "⇄ at the loop",
    ]
    assert "no switch inside" in figures.switch_points(POINTS[:1], SOURCE, 7).message


def test_a_long_line_loses_its_comment_first() -> None:
    source = (
        "def f(x):\n    for _ in range(1000):                      # leaf through the book\n        x = 1\n"
    )
    figure = figures.switch_points([{"line": 2, "kind": "loop"}], source, 1)
    assert "    for _ in range(1000):" in [t.get_text() for t in texts(figure)]


def test_switch_points_reads_a_function() -> None:
    figure = figures.switch_points(style.as_list)
    assert any("return list(data)" in t.get_text() for t in texts(figure))


def test_course_map_marks_where_you_are() -> None:
    figure = figures.course_map([{"name": name, "minutes": 45} for name in UNITS], here="1")
    assert [t.get_text() for t in texts(figure)].count("▲ here") == 1
    assert sum(t.get_text().endswith("45 min") for t in texts(figure)) == len(UNITS)


def search_result(**counts: int) -> Result:
    found = {((True, False), None): 150, ((True, True), None): 56, ("deadlock", (("alice", "lock"),)): 1}
    table = found if not counts else {((name,), None): n for name, n in counts.items()}
    return Result(
        "broken", "all", 207, frozenset(table), counts=table, threads=("mallory", "alice")[: 2 - bool(counts)]
    )


def test_outcomes_reads_a_search_result() -> None:
    figure = figures.outcomes(search_result(), bad=("alice True, mallory True",))
    words = {t.get_text() for t in texts(figure)}
    assert {"alice True, mallory False", f"{palette.WRONG} alice True, mallory True", "deadlock", "150", "56"} <= words
    assert figure.message == "56 of 207 interleavings end badly"
    assert figures.outcomes(search_result()).message == "3 outcomes can happen"
    assert figures.outcomes(replace(search_result(), counts={})).message == "3 outcomes can happen"


def test_outcomes_can_ask_the_answers_and_a_dead_end_is_bad() -> None:
    asked: list[dict] = []
    figure = figures.outcomes(
        search_result(), bad=lambda answers: asked.append(answers) or answers["mallory"]
    )
    assert {"alice": True, "mallory": False} in asked
    assert figure.message == "57 of 207 interleavings end badly"
    reduced = figures.outcomes(
        replace(search_result(), strategy="dpor"), bad=lambda answers: answers["mallory"]
    )
    assert reduced.message == "57 of 207 executions end badly"


def test_many_outcomes_fit_and_the_rest_is_counted() -> None:
    figure = figures.outcomes(search_result(**{f"outcome_{k}": k + 1 for k in range(30)}))
    words = {t.get_text() for t in texts(figure)}
    assert {"21 more", "231", "30"} <= words and figure.get_figheight() < 6
    long = figures.outcomes({"x" * 300: 3, "y" * 300: 4})
    assert max(len(t.get_text()) for t in texts(long)) <= 40


def test_influence_says_what_leaks_and_what_is_lost() -> None:
    assert figures.influence(RACY).message == "4 leaks, first: mallory's input reaches alice's answer"
    assert figures.influence(REFUSING).message.startswith("2 lost, first: alice's own input never reaches")
    assert figures.influence(FIXED).message.startswith("Clean")
    three = figures.influence({"racy": RACY, "refuses": REFUSING, "fixed": FIXED})
    assert three.message == "racy: 4 leaks; refuses: 2 lost; fixed: clean"
    assert "not decided" in figures.influence({"a": matrix("???", "???"), "b": FIXED}).message


def test_influence_writes_a_letter_into_every_cell_and_thins_out_a_large_matrix() -> None:
    letters = [t.get_text() for t in texts(figures.influence(RACY)) if len(t.get_text()) == 1]
    assert letters == list("ALLLAL")
    large = figures.influence(causal(64))
    assert sum(t.get_text() in LETTERS.values() for t in texts(large)) == 64
    assert {h[0] for h in hatches(large)} == {"."}


@pytest.mark.parametrize("name", ["influence", "influence, 64", "influence, undecided", "mask_grid", "sight"])
def test_every_matrix_has_one_look(name: str) -> None:
    drawn = {to_hex(c).upper(): c for ax in FIGURES[name]().axes for part in ax.collections
             for c in part.get_facecolor()}
    assert set(drawn) <= {color.upper() for color in palette.CELLS.values()}


def test_a_leak_is_solid_and_its_letter_stands_in_a_white_box() -> None:
    (ax,) = figures.influence(RACY).axes
    solid = {to_hex(part.get_facecolor()[0]).upper(): part.get_hatch() for part in ax.collections}
    assert solid == {palette.LEAK: None, palette.CELLS["allowed"]: None}
    boxes = {t.get_text(): t.get_bbox_patch() for t in ax.texts}
    assert boxes["A"] is None and to_hex(boxes["L"].get_facecolor()) == "#ffffff"


def test_influence_refuses_what_it_cannot_draw() -> None:
    for wrong in ({}, dict.fromkeys("abcde", FIXED), Influence((), (), ())):
        with pytest.raises(ValueError, match="1 to 4"):
            figures.influence(wrong)


def test_a_grid_of_masks_names_the_first_wrong_cell_of_each() -> None:
    figure = figures.mask_grid({"wide": causal(4), "right": causal(4, 0)}, "Two", names=("asks", "answers"))
    wide, right = (ax.get_xlabel().split("\n") for ax in figure.axes)
    assert wide == ["answers", "3 leaks, first:", "asks 0, answers 1"] and right == ["answers", "clean"]
    both = figures.mask_grid({"": matrix("XL", "LA")}, "One").axes[0].get_xlabel()
    assert both == "key\n2 leaks, first:\nquery 0, key 1\n1 lost"
