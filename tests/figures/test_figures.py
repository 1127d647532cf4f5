"""Every figure: its message is its title, its texts fit and do not collide, no colour stands alone."""

from __future__ import annotations

import itertools
import subprocess
import sys
import warnings
from dataclasses import replace

import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.figure import Figure
from matplotlib.text import Text

from sharedstate import figures
from sharedstate.figures import style
from sharedstate.figures.slots import Place
from sharedstate.influence.matrix import LETTERS, Influence
from sharedstate.interleave.result import Result
from sharedstate.interleave.trace import Step, Trace
from sharedstate.kvcache.costs import step_cost
from sharedstate.kvcache.memory import plan, weight_bytes
from sharedstate.model import GPTConfig
from sharedstate.passcodes import FREE_THREADED, RaceConfig, RaceResult, SwitchPoint

UNITS = (
    "00_start_here", "01_passcode_race", "02_isolation_fixes", "03_shared_rng", "04_attention_and_masks",
    "05_windows_and_channels", "06_kv_cache", "07_slot_pollution", "08_paged_blocks",
    "09_batching_and_sampling", "10_diagnosis", "11_in_the_wild", "12_interview",
)  # fmt: skip
OUTCOMES = {
    "alice True, mallory False": 150,
    "alice True, mallory True": 56,
    "alice False, mallory False": 46,
}
FUNNEL = {"bytecode": 10**37, "shared": 252, "conflicting": 70, "classes": 16, "executions": 16}
SOURCE = """\
def check(self, candidate):
    self.board = candidate
    for _ in range(9): pass
    return self.board
"""
POINTS = (SwitchPoint(7, "RESUME", 0, "", "entry"), SwitchPoint(9, "JUMP_BACKWARD", 8, "", "loop"))


def result(threads: int = 8, accepts: int = 80, spin: int = 1000, rejects: int | None = None) -> RaceResult:
    config = RaceConfig(threads=threads, spin=spin, requests=100_000)
    return RaceResult(config, 100_000, accepts, accepts if rejects is None else rejects, 3.0, spin * 1.8e-8)


def flat() -> list[RaceResult]:
    return [result(n, k) for n, k in ((2, 110), (4, 72), (8, 66), (16, 88), (32, 80), (64, 104))]


def gaps() -> list[RaceResult]:
    return [result(8, k, spin) for spin, k in ((20, 0), (125, 9), (500, 41), (2000, 160), (8000, 700))]


def trace(steps: int = 10, **changes: object) -> Trace:
    """Mallory writes, Alice takes five steps, Mallory the rest; the pair to blame is step 2 and step 7."""
    names = ["mallory", *["alice"] * 5, *["mallory"] * 4][:steps]
    made = []
    for k, name in enumerate(names):
        kind, hit = "write" if k < 2 else "read", k in (1, 6)
        place = (7, "Cell [1], line 7", "self.x = y")
        made.append(Step(name, kind, "C.board", "'s3cret'", *place, switch=hit, preemption=k == 1, blame=hit))
    fields = {"answers": {"alice": True, "mallory": True}, "finished": True, "violated": True}
    fields |= {"verdict": "broken", "observed": None, "preemptions": 1, "switches": 2, "token": "t"}
    return Trace(("alice", "mallory"), tuple(made), schedule=tuple(names), **{**fields, **changes})


def matrix(*states: str, names: tuple[str, ...] = ("alice", "mallory"), kind: str = "threads") -> Influence:
    """An influence matrix, a line of letters a row; the last column is the schedule's."""
    words = {letter: state for state, letter in LETTERS.items()}
    columns = tuple([*names, "schedule"][: len(states[0])])
    return Influence(names, columns, tuple(tuple(words[x] for x in row) for row in states), kind=kind)


def causal(size: int, offset: int = 1) -> Influence:
    """An off-by-one mask whose first quarter of the past is lost."""
    rows = [["X" if c < r - 3 * size // 4 else "A" if c <= r else "L" if c <= r + offset else "I"
             for c in range(size)] for r in range(size)]  # fmt: skip
    return matrix(*map("".join, rows), names=tuple(map(str, range(size))), kind="tensors")


RACY, REFUSING, FIXED = matrix("ALL", "LAL"), matrix("XII", "IXI"), matrix("AII", "IAI")
def stuck(*names: str) -> Trace:
    """Threads that wait for one another in a circle."""
    place = (7, "Cell [1], line 7", "with lock:")
    ring = list(zip(names, (*names[1:], names[0]), strict=True))
    steps = [Step(name, "acquire", f"{name}'s lock", None, *place) for name in names]
    steps += [Step(name, "blocked", f"{other}'s lock", f"held by {other}", *place) for name, other in ring]
    return replace(trace(0), threads=names, steps=tuple(steps), verdict="deadlock", finished=False)


def explored(verdict: str, number: int) -> Result:
    """A result with so many outcomes, the same first ones in every result."""
    counts = {((k, "x" * k), None): 10 * (k + 1) for k in range(number)}
    return Result(verdict, "all of them", 100, frozenset(counts), counts=counts, threads=("alice", "mallory"))


LONG = {"alice": "x" * 99, "mallory": ValueError("y" * 99)}
CURVES = {"no mask": [2.8, 2.6, 1.2, 0.4], "causal mask": [2.8, 2.78, 2.77, 2.77]}
LOSSES = {"causal mask": {"validation": 0.23, "last": 0.16}, "no mask": {"validation": 0.03, "last": 1.8}}
SEEN = tuple(tuple(f"{'leak' if k < 2 else 'allowed'} lost isolated isolated".split()) for k in range(4))
WAYS = ("height", "width", "height, then width", "reshaped, not turned")
REGIONS = (*[(0, 0, 0, 1)] * 3, (2, 2, 2, 3))
PRICES = {"everybody": {256: 2e-4, 4096: 0.2}, "windows": {256: 5e-5, 4096: 2e-4}, "axes": {256: 7e-5, 4096: 1e-3}}
RATIOS = ("random_ratio", "threads_ratio", "first_bug_ratio", "exhaustive_ratio_2", "spin_ratio", "exhaustive_ratio_3")
SPEEDS = {key: 9.0 * 2**k for k, key in enumerate(RATIOS)} | {"spread": dict.fromkeys(RATIOS, 1.5)}
OWN, OLD, READ = Place("alice", "10"), Place("carol", "31", stale=True), Place("bob", "20", stale=True, read=True)
POOLS = {"before": [[OWN, OWN, Place()], [READ, OLD, Place()]], "after somebody has gone": [[OWN, READ, Place()]]}
WIDE_POOL = {"wide": [[Place(f"owner-{k % 5}") for k in range(16)]]}
HURT = {"a": (0.0, 1e-16, None), "b": (0.0, 0.49, 0.6), "new": (None, 0.0, 0.0)}
ASKED = ("alone", "neighbour", "jacobian", "owner tag", "poison", "tokens")
SEEN_BY = {
    "right-pad-index-minus-one": dict(zip(ASKED, (True, True, None, True, False, "9 of 20"), strict=True)),
    "stale-offsets-new-arrival": dict.fromkeys(ASKED, False),
}
GRAIN = {"two threads": {"process": "leaks", "thread": "fits"}, "two tasks": {"process": "leaks", "thread": "wastes"}}
FIXES = [
    {"config": {"work": work, "fix": fix}, "ratio": ratio, "spread": (ratio / 3, ratio * 3)}
    for work, fix, ratio in (
        ("loop", "lock", 1.0), ("loop", "thread_local", 0.9), ("sleep", "lock", 8.1), ("sleep", "thread_local", 1.0))
]
DRAWN = [
    {"config": {"grain": grain, "units": 16}, "seconds": 0.1, "same_units": same, "duplicates": 3 * (16 - same)}
    for grain, same in (("none", 0), ("draw", 0), ("passcode", 1), ("own", 16))
]
STEPS = {"projections": {512: 1e-4, 2048: 1e-4, 8192: 1e-4}, "attention": {512: 5e-5, 2048: 2e-4, 8192: 8e-4}}
STEPS |= {"whole step, cached": {128: 1e-3, 2048: 3e-3}, "whole step, without": {128: 1e-2, 2048: 0.9}}
SHAPE = GPTConfig(32000, 32, 4096, 32, d_hidden=11008)
OPERATIONS = {2**n: (step_cost(SHAPE, 2**n), step_cost(SHAPE, 2**n, cached=False)) for n in range(4, 17)}
PLANS = {f"{n} slots": plan(SHAPE, "float16", 4096, n, 24, weight_bytes(SHAPE, "float16")) for n in (1, 2, 8)}
BLIND = {name: {"prompt alone": 2e-7, "in threes": 0.31} for name in ("positions restart", "newest card first")}
FIGURES = {
    "interleaving": lambda: figures.interleaving(trace()),
    "interleaving, long": lambda: figures.interleaving(trace(answers=LONG)),
    "interleaving, empty": lambda: figures.interleaving(trace(0, answers={}, finished=False, switches=0)),
    "funnel": lambda: figures.funnel(FUNNEL),
    "funnel, partly known": lambda: figures.funnel({**FUNNEL, "bytecode": None, "classes": None}),
    "outcomes": lambda: figures.outcomes(OUTCOMES, bad=("alice True, mallory True",)),
    "outcomes, long": lambda: figures.outcomes({"alice 'guess42', mallory " + "n" * 300: 3, "b" * 99: 4}),
    "race_sweep": lambda: figures.race_sweep(flat() + gaps()),
    "race_sweep, threads": lambda: figures.race_sweep(flat()),
    "race_sweep, gaps": lambda: figures.race_sweep(gaps()),
    "race_sweep, one point": lambda: figures.race_sweep([result()]),
    "race_sweep, nothing seen": lambda: figures.race_sweep([result(8, 0, 20)]),
    "flaky_runs": lambda: figures.flaky_runs([0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 3]),
    "flaky_runs, all clean": lambda: figures.flaky_runs([0] * 20),
    "accepts_and_rejects": lambda: figures.accepts_and_rejects(flat()),
    "free_threaded": lambda: figures.free_threaded(FREE_THREADED),
    "free_threaded, 1000": lambda: figures.free_threaded(FREE_THREADED, spin=1000),
    "influence": lambda: figures.influence(RACY),
    "influence, lost": lambda: figures.influence(REFUSING),
    "influence, clean": lambda: figures.influence(FIXED),
    "influence, undecided": lambda: figures.influence(matrix("???", "?X?")),
    "influence, three": lambda: figures.influence({"racy": RACY, "refuses": REFUSING, "fixed": FIXED}),
    "influence, four": lambda: figures.influence(dict.fromkeys("abcd", causal(8))),
    "influence, 10": lambda: figures.influence(causal(10)),
    "influence, 16": lambda: figures.influence(causal(16)),
    "influence, 64": lambda: figures.influence(causal(64)),
    "influence, long": lambda: figures.influence(matrix("AL?", "XIL", names=("a" * 40, "b" * 40))),
    "whiteboard": lambda: figures.whiteboard(),
    "course_map": lambda: figures.course_map(UNITS, here="01"),
    "switch_points": lambda: figures.switch_points(POINTS, SOURCE, 7),
    "mask_grid": lambda: figures.mask_grid({"one": causal(6), "two": causal(6, 0)}, "Two masks"),
    "mask_grid, six": lambda: figures.mask_grid({f"mask {k}": causal(6, k) for k in range(6)}, "Six masks"),
    "mask_grid, alone": lambda: figures.mask_grid({"alone": causal(8)}, causal(8).message),
    "loss_curves": lambda: figures.loss_curves(CURVES, vocab_size=16),
    "loss_bars": lambda: figures.loss_bars(LOSSES, chance=3.4),
    "sight": lambda: figures.sight({"window": SEEN}, (0, 0), "What one pixel sees", walls=2),
    "sight, four": lambda: figures.sight(dict.fromkeys(WAYS, SEEN), (0, 0), "Four ways to look"),
    "regions": lambda: figures.regions(((3, 2, 2, 2), *[(1, 0, 0, 0)] * 3), REGIONS, 2, "Four regions meet"),
    "attention_price": lambda: figures.attention_price(PRICES, "Windows are cheaper"),
    "cache_step": lambda: figures.cache_step(6, "One row and two cards"),
    "cache_step, two": lambda: figures.cache_step(2, "The second word"),
    "step_costs": lambda: figures.step_costs(STEPS, "Attention grows", {"attention": STEPS["attention"]}),
    "step_costs, one": lambda: figures.step_costs({"attention": {512: 1e-4}}, "One point"),
    "context_costs": lambda: figures.context_costs(OPERATIONS, 2048, "At 2,048 tokens 2,048 times the work"),
    "context_costs, short": lambda: figures.context_costs(OPERATIONS, 16, "At 16 tokens 16 times the work"),
    "memory_bars": lambda: figures.memory_bars(PLANS, "The mean fits, the peak does not"),
    "memory_bars, no budget": lambda: figures.memory_bars({"one": plan(SHAPE, "float16", 4096)}, "Two GiB"),
    "which_test": lambda: figures.which_test(BLIND, "No single test sees both"),
    "peers": lambda: figures.peers(SPEEDS),
    "assignment": lambda: figures.assignment(("ab", "cd"), {"again": ("ac", "bd"), "own": ("ab", "cd")}, "Dealt anew"),
    "collisions": lambda: figures.collisions({"sum": 115, "digest": 1600}, 1600, "Sums collide"),
    "symbol_counts": lambda: figures.symbol_counts({"folded": [5, 4, 4], "fair": [4, 4, 4]}, "Bias"),
    "generator_runs": lambda: figures.generator_runs(DRAWN),
    "prices": lambda: figures.prices(FIXES, {"loop": "Python loop", "sleep": "waiting 0.5 ms"}),
    "prices, one": lambda: figures.prices(FIXES[:1], {"loop": "Python loop"}),
    "grain": lambda: figures.grain(GRAIN),
    "memory_map": lambda: figures.memory_map(POOLS, "Bob reads on", reader="bob"),
    "memory_map, wide": lambda: figures.memory_map(WIDE_POOL, "Sixteen places", word="row"),
    "life_cycle": lambda: figures.life_cycle(),
    "request_errors": lambda: figures.request_errors(HURT, "A ends, and b is hurt"),
    "oracle_matrix": lambda: figures.oracle_matrix(SEEN_BY),
    "oracle_matrix, all": lambda: figures.oracle_matrix({f"bug {k}": dict.fromkeys(ASKED, True) for k in range(16)}),
    "error_over_steps": lambda: figures.error_over_steps([4.0, 0.5, 0.01, 1e-4], [0.3, 0.3, 0.4, 0.4]),
    "deadlock": lambda: figures.deadlock(stuck("alice", "bob")),
    "deadlock, alone": lambda: figures.deadlock(stuck("alice")),
    "deadlock, three": lambda: figures.deadlock(stuck("alice", "bob", "carol")),
    "deadlock, five": lambda: figures.deadlock(stuck("a" * 30, "bob", "carol", "dave", "erin")),
    "compare": lambda: figures.compare([explored("broken", 3), explored("proved", 1)]),
    "compare, many": lambda: figures.compare([explored("broken", 30), explored("ran out", 5)]),
    "compare, three": lambda: figures.compare(
        [explored("broken", 3), explored("proved", 1), explored("deadlock", 2)], ("racy", "lock", "two locks")
    ),
}  # fmt: skip
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
    data, metadata = DisplayFormatter().format(figures.whiteboard())
    assert data["image/png"].startswith(b"\x89PNG")
    assert data["text/plain"] == "Figure: One board, no door: all read what was written last"
    assert metadata["image/png"]["width"] == 600


def test_caption_is_one_emphasised_line() -> None:
    assert figures.caption(" Two lanes. ").data == "*Two lanes.*"


def hatches(figure: Figure) -> set[str]:
    return {p.get_hatch() for ax in figure.axes for p in [*ax.patches, *ax.collections] if p.get_hatch()}


@pytest.mark.parametrize(
    "name",
    ["influence", "influence, 64", "mask_grid", "loss_bars", "sight",
     "interleaving", "outcomes", "flaky_runs", "accepts_and_rejects",
     "free_threaded"],
)
def test_a_leak_is_hatched(name: str) -> None:
    assert any("/" in hatch for hatch in hatches(FIGURES[name]()))


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
    marks = [line.get_marker() for line in figure.axes[0].lines]
    assert (marks.count("o"), marks.count("D")) == (2, 4)
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


def test_course_map_marks_where_you_are_and_what_is_not_here_yet() -> None:
    units = [{"name": name, "minutes": 45, "present": name < "02"} for name in UNITS]
    figure = figures.course_map(units, here="1")
    assert [t.get_text() for t in texts(figure)].count("▲ here") == 1
    dashed = [p for p in figure.axes[0].patches if p.get_linestyle() == "--"]
    assert len(dashed) == 11


def search_result(**counts: int) -> Result:
    found = {((True, False), None): 150, ((True, True), None): 56, ("deadlock", (("alice", "lock"),)): 1}
    table = found if not counts else {((name,), None): n for name, n in counts.items()}
    return Result(
        "broken", "all", 207, frozenset(table), counts=table, threads=("mallory", "alice")[: 2 - bool(counts)]
    )


def test_outcomes_reads_a_search_result() -> None:
    figure = figures.outcomes(search_result(), bad=("alice True, mallory True",))
    words = {t.get_text() for t in texts(figure)}
    assert {"alice True, mallory False", "! alice True, mallory True", "deadlock", "150", "56"} <= words
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
    assert figures.influence(RACY).message == "4 leaks: mallory's input reaches alice's answer, and 3 more"
    assert figures.influence(REFUSING).message.startswith("2 lost: alice's own input never reaches")
    assert figures.influence(FIXED).message.startswith("Clean")
    three = figures.influence({"racy": RACY, "refuses": REFUSING, "fixed": FIXED})
    assert three.message == "racy: 4 leaks; refuses: 2 lost; fixed: clean"
    assert "not decided" in figures.influence({"a": matrix("???", "???"), "b": FIXED}).message


def test_influence_writes_a_letter_into_every_cell_and_thins_out_a_large_matrix() -> None:
    letters = [t.get_text() for t in texts(figures.influence(RACY)) if len(t.get_text()) == 1]
    assert letters == list("ALLLAL")
    large = figures.influence(causal(64))
    assert sum(t.get_text() in LETTERS.values() for t in texts(large)) == 64
    assert {h[0] for h in hatches(large)} == {"/", "."}


def test_influence_refuses_what_it_cannot_draw() -> None:
    for wrong in ({}, dict.fromkeys("abcde", FIXED), Influence((), (), ())):
        with pytest.raises(ValueError, match="1 to 4"):
            figures.influence(wrong)


def test_a_grid_of_masks_names_the_first_wrong_cell_of_each() -> None:
    figure = figures.mask_grid({"wide": causal(4), "right": causal(4, 0)}, "Two", names=("asks", "answers"))
    wide, right = (ax.get_xlabel().split("\n") for ax in figure.axes)
    assert wide == ["answers", "3 leaks: asks 0, answers 1"] and right == ["answers", "clean"]
    both = figures.mask_grid({"": matrix("XL", "LA")}, "One").axes[0].get_xlabel()
    assert both == "key\n2 leaks: query 0, key 1\n1 lost"
