"""Figures of the KV cache: what a step computes, what it costs, which test sees which mistake, what fits."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure, get

NOW, KEPT, NEVER = palette.OWNERS[0], palette.OWNERS[2], "#EEEEEE"
KINDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "N": (NOW, "computed now"), "K": (KEPT, "kept, only read"), "": (NEVER, "not needed"),
})
LINES = ((palette.OWNERS[1], "o--"), (palette.OWNERS[0], "s-"), (palette.OWNERS[2], "^-"), (palette.FAINT, "v-"))
PARTS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "weights": (palette.ALLOWED, ""), "cache": (palette.OWNERS[0], ""), "headroom": ("white", "//"),
})
SEEN = palette.ISOLATED
STEP_PARTS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "projections": (palette.OWNERS[0], ""), "attention": (palette.OWNERS[1], "//"),
    "feed_forward": (palette.ALLOWED, ""), "head": (palette.OWNERS[3], ".."),
})
MILLION = 1e6
Lines = Mapping[str, Mapping[int, float]]


def cache_step(tokens: int, title: str) -> CourseFigure:
    """Draw what the step for the last of `tokens` tokens computes, without a cache and with one.

    Rows: the keys, the values, then the scores of each token. Raises ValueError for what is no
    whole number, and for fewer than 2.
    """
    if type(tokens) is not int:
        raise ValueError(f"tokens is {tokens!r}: use a whole number, 2 or more.")
    if tokens < 2:
        raise ValueError(f"A step needs a past: {tokens} tokens are too few, use 2 or more.")
    figure = style.new(title, width=6.4, height=4.4)
    for place, (label, cached) in enumerate((("without a cache", False), ("with a cache", True)), 1):
        ax = figure.add_subplot(1, 2, place)
        _strips(ax, tokens, cached)
        _triangle(ax, tokens, cached)
        ax.set(xlim=(-0.1, tokens + 0.1), ylim=(tokens + 3.1, -0.1), aspect="equal")
        ax.set_yticks([0.5, 1.5, 3 + tokens / 2], ["K", "V", "scores"], fontsize=style.SMALL)
        ax.set_xticks([])
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.set_title(label, fontsize=style.LABEL, color=palette.INK)
    keys = [Patch(fc=color, ec="white", label=f"{letter} {words}".strip()) for letter, (color, words) in KINDS.items()]
    figure.legend(handles=keys, loc="outside lower center", ncols=3, fontsize=style.SMALL, frameon=False)
    return figure


def _strips(ax: Axes, tokens: int, cached: bool) -> None:
    """The keys and the values, one square for each token."""
    for row in (0, 1):
        for column in range(tokens):
            _square(ax, row, column, "K" if cached and column < tokens - 1 else "N")


def _triangle(ax: Axes, tokens: int, cached: bool) -> None:
    """The scores: query i looks at keys up to i."""
    for row in range(tokens):
        for column in range(row + 1):
            _square(ax, row + 3, column, "" if cached and row < tokens - 1 else "N")


def _square(ax: Axes, row: int, column: int, kind: str) -> None:
    ax.add_patch(Rectangle((column, row), 1, 1, fc=KINDS[kind][0], ec="white", lw=1))
    ax.text(column + 0.5, row + 0.5, kind, ha="center", va="center", fontsize=style.SMALL, color=palette.INK)


def step_costs(points: Lines, title: str, model: Lines | None = None) -> CourseFigure:
    """Draw seconds against context length, one line a part, both axes logarithmic.

    points: {label: {context: seconds}}; model: the same labels, seconds as a cost model predicts them, dotted.
    Raises ValueError without any points.
    """
    if not any(points.values()):
        raise ValueError("There is nothing to draw: give at least one line with points.")
    figure = style.new(title, width=6.4, height=4.2)
    ax = style.axes(figure, "tokens in the context", "milliseconds a step")
    for (label, line), (color, mark) in zip(points.items(), LINES, strict=False):
        ax.plot(list(line), [1e3 * seconds for seconds in line.values()], mark, color=color, lw=2, label=label)
        if model and label in model:
            there = model[label]
            ax.plot(list(there), [1e3 * seconds for seconds in there.values()], ":", color=palette.INK, lw=1.2)
    if model:
        ax.plot([], [], ":", color=palette.INK, lw=1.2, label="by counting operations")
    _contexts(ax, {context for line in points.values() for context in line})
    ax.set_yscale("log")
    ax.set_ylim(top=ax.get_ylim()[1] * 20)
    ax.legend(fontsize=style.SMALL, frameon=False, loc="upper left", ncols=2)
    return figure


def _contexts(ax: Axes, contexts: set[int]) -> None:
    """A logarithmic axis of context lengths, at most six of them named."""
    ticks = sorted(contexts)
    ticks = ticks[:: -(-len(ticks) // 6)]
    ax.set_xscale("log")
    ax.set_xticks(ticks, [f"{n:,}" for n in ticks])
    ax.set_xticks([], minor=True)


def context_costs(costs: Mapping[int, tuple[object, object]], context: int, title: str) -> CourseFigure:
    """Draw operations of a step against context, with and without a cache, and the parts of one cached step.

    costs: {context: (StepCost with, StepCost without)}; context: the one that is marked and taken apart.
    """
    figure = style.new(title, width=7.2, height=3.9)
    ax = style.axes(figure, "tokens in the context", "million operations", at=(1, 2, 1))
    for place, (label, (color, mark)) in enumerate(zip(("with a cache", "without"), (LINES[1], LINES[0]), strict=True)):
        line = [get(costs[n][place], "total") / MILLION for n in costs]
        ax.plot(list(costs), line, mark, color=color, lw=2, ms=4, label=label)
    ax.axvline(context, color=palette.INK, lw=1, ls=":")
    _contexts(ax, set(list(costs)[::3]))
    ax.set_yscale("log")
    ax.legend(fontsize=style.SMALL, frameon=False, loc="upper left")
    ax.set_ylim(top=ax.get_ylim()[1] * 8)
    _shares(figure, costs[context][0])
    return figure


def _shares(figure: CourseFigure, cost: object) -> None:
    """One bar for each part of the cached step, in percent."""
    ax = style.axes(figure, "share of the cached step, %", at=(1, 2, 2))
    for row, (part, (color, hatch)) in enumerate(STEP_PARTS.items()):
        share = 100 * get(cost, part) / get(cost, "total")
        ax.barh(row, share, 0.7, color=color, hatch=hatch, edgecolor="white")
        ax.text(share + 2, row, f"{share:.0f}", va="center", fontsize=style.SMALL)
    ax.set_yticks(range(len(STEP_PARTS)), [name.replace("_", "\n") for name in STEP_PARTS], fontsize=style.SMALL)
    ax.set(xlim=(0, 118), ylim=(len(STEP_PARTS) - 0.4, -0.6))
    ax.set_xticks([0, 50, 100])


def memory_bars(plans: Mapping[str, object], title: str) -> CourseFigure:
    """Draw memory plans as stacked bars (weights, cache, headroom) in GiB, with the budget as a line.

    plans: {label: MemoryPlan}; the budget is the first plan's. Raises ValueError without a plan.
    """
    if not plans:
        raise ValueError("There is nothing to draw: give at least one plan.")
    figure = style.new(title, width=6.4, height=1.9 + 0.5 * len(plans))
    ax = style.axes(figure, "GiB")
    most = max(get(plan, "total") for plan in plans.values()) / 2**30
    for row, plan in enumerate(plans.values()):
        _bar(ax, row, plan)
    budget = get(next(iter(plans.values())), "budget")
    if budget is not None:
        ax.axvline(budget / 2**30, color=palette.INK, lw=2)
        most = max(most, budget / 2**30)
    ax.set_yticks(range(len(plans)), list(plans), fontsize=style.SMALL)
    ax.set(xlim=(0, 1.28 * most), ylim=(len(plans) - 0.4, -0.6))
    keys = [Patch(fc=color, hatch=hatch, ec=palette.INK, label=part) for part, (color, hatch) in PARTS.items()]
    if budget is not None:
        keys.append(Patch(fc=palette.INK, label=f"budget {budget / 2**30:g}"))
    figure.legend(handles=keys, loc="outside lower center", ncols=4, fontsize=style.SMALL, frameon=False)
    return figure


def _bar(ax: Axes, row: int, plan: object) -> None:
    left = 0.0
    for part, (color, hatch) in PARTS.items():
        size = get(plan, "parts", part) / 2**30
        ax.barh(row, size, 0.66, left=left, color=color, hatch=hatch, edgecolor=palette.INK, lw=0.8)
        left += size
    verdict = "" if get(plan, "budget") is None else (" fits" if get(plan, "fits") else " too large")
    plate = {"fc": "white", "ec": "none", "pad": 1.5}
    ax.annotate(f"{left:.1f}{verdict}", (left, row), xytext=(5, 0), textcoords="offset points", va="center",
                fontsize=style.SMALL, color=palette.INK, bbox=plate)


def which_test(table: Mapping[str, Mapping[str, float]], title: str, limit: float = 1e-4) -> CourseFigure:
    """Draw which test sees which mistake: {mistake: {test: largest difference of the logits}}.

    A difference above `limit` is seen; below it the test is blind to the mistake. Raises ValueError for an empty table,
    and for rows of other tests.
    """
    if not table or len({tuple(row) for row in table.values()}) != 1 or not next(iter(table.values())):
        raise ValueError("There is nothing to draw: give a row for each mistake, with the same tests in each.")
    tests = list(next(iter(table.values())))
    figure = style.new(title, width=7.4, height=1.75 + 0.46 * len(table))
    ax = figure.add_subplot()
    for row, found in enumerate(table.values()):
        for column, test in enumerate(tests):
            seen = found[test] > limit
            ax.add_patch(Rectangle((column + 0.02, row + 0.04), 0.96, 0.92, fc=SEEN if seen else "white",
                                   ec=palette.ALLOWED, lw=0.8))
            ax.text(column + 0.5, row + 0.5, f"{found[test]:.2f}" if seen else "blind", ha="center", va="center",
                    fontsize=style.SMALL, color="white" if seen else palette.INK)
    ax.set(xlim=(0, len(tests)), ylim=(len(table), 0))
    ax.xaxis.tick_top()
    ax.set_xticks([n + 0.5 for n in range(len(tests))], [t.replace(" ", "\n", 1) for t in tests], fontsize=style.SMALL)
    ax.set_yticks([n + 0.5 for n in range(len(table))], list(table), fontsize=style.SMALL)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return figure
