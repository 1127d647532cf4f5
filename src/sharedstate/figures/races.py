"""Figures of measured races: what changes the rate, what does not, and why a short run sees nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure, get
from sharedstate.passcodes.config import TELLING, count_interval
from sharedstate.wording import count

PER_100K = "per 100,000 requests"


def race_sweep(
    results: Sequence[object], popular: bool = True, title: str | None = None, plot: str = "both"
) -> CourseFigure:
    """Draw false accepts per 100,000 requests against the thread count, and against gap / interval.

    results: RaceResult, or dicts with config {threads, spin, switch_interval}, requests, false_accepts and
    gap_seconds. Left stand the results that share the most common gap and interval, right all of them with
    the formula's line. popular: sketch what popular texts expect. A panel with nothing
    to show is left out. plot: "threads" or "gap" for one of the two whatever there is to show. Whiskers are 95 %
    intervals of the counts; below 20 events in all the title gives no verdict.
    """
    rows = style.as_list(results)
    if not rows:
        raise ValueError("Nothing was measured yet: give at least one result.")
    threads = _same_gap(rows)
    left = len({get(r, "config", "threads") for r in threads}) > 1
    right = len(rows) > len(threads) or not left
    if plot != "both":
        left, right = plot == "threads", plot == "gap"
    figure = style.new(title or _sweep_message(rows, threads, left, right), width=6.4)
    panels = left + right
    if left:
        _threads_panel(
            style.axes(figure, "threads", f"false accepts {PER_100K}", at=(1, panels, 1)), threads, popular
        )
    if right:
        label = "" if left else f"false accepts {PER_100K}"
        _gap_panel(
            style.axes(figure, "time in the gap ÷ switch interval", label, at=(1, panels, panels)), rows
        )
    return figure


def rate(result: object, counted: str = "false_accepts") -> float:
    """Return a result's count per 100,000 requests."""
    return 1e5 * get(result, counted) / get(result, "requests")


def _gap_and_interval(result: object) -> tuple[object, object]:
    return get(result, "config", "spin"), get(result, "config", "switch_interval")


def _same_gap(rows: list) -> list:
    """Return the results that share the most common spin and interval."""
    common = Counter(map(_gap_and_interval, rows)).most_common(1)[0][0]
    return [r for r in rows if _gap_and_interval(r) == common]


def _by_threads(rows: list, counted: str = "false_accepts") -> tuple[list[int], list[float]]:
    """Return the thread counts and the median rate at each."""
    counts = sorted({get(r, "config", "threads") for r in rows})
    rates = [median(rate(r, counted) for r in rows if get(r, "config", "threads") == n) for n in counts]
    return counts, rates


def _sweep_message(every: list, rows: list, left: bool, right: bool) -> str:
    """Say what the numbers say, and no more."""
    events = sum(get(r, "false_accepts") for r in every)
    if events < TELLING:
        return f"Too few to tell: {count(events, 'event')} in all, ask for more requests"
    _, rates = _by_threads(rows)
    first, last = rates[0], rates[-1]
    flat = left and last <= 2 * first
    if flat and right:
        return "Threads are not the knob: time in the gap is"
    if flat:
        return "More threads do not let more wrong passcodes pass"
    return "What lets wrong passcodes pass" if left else "The rate follows gap ÷ interval"


def _threads_panel(ax: Axes, rows: list, popular: bool) -> None:
    counts, rates = _by_threads(rows)
    ax.plot(counts, rates, "o-", color=palette.LEAK, lw=2, ms=7, label="measured")
    tops = [_whisker(ax, get(r, "config", "threads"), r)[1] for r in rows]
    top = max(1.35 * max(*rates, 1), 1.05 * max(tops))
    if popular and len(counts) > 1:
        low = max(rates[0], 0.1 * top)
        sketch = [low + (top - low) * (n - counts[0]) / (counts[-1] - counts[0]) for n in counts]
        ax.plot(counts, sketch, "--", color=palette.FAINT, lw=2)
        ax.annotate(
            "popular text\n(a sketch)", (counts[-1], top), (0.03, 0.97), textcoords="axes fraction",
            ha="left", va="top", fontsize=style.SMALL, color="#555555",
        )  # fmt: skip
    middle, low = len(counts) // 2, min(rates) < 0.2 * top   # low: under the points the label would hit the axis
    ax.annotate(
        "measured", (counts[middle], rates[middle] if low else min(rates)), (0, 12 if low else -12),
        textcoords="offset points", ha="center", va="bottom" if low else "top", fontsize=style.SMALL,
        color=palette.LEAK, fontweight="bold",
    )  # fmt: skip
    thread_axis(ax, counts)
    ax.set_ylim(0, top * (1.3 if popular and len(counts) > 1 else 1.1))  # room for the label above the whiskers


def _whisker(ax: Axes, x: float, result: object) -> tuple[float, float]:
    """Draw the 95 % interval of a result's rate, and return it."""
    low, high = (1e5 * n / get(result, "requests") for n in count_interval(get(result, "false_accepts")))
    ax.vlines(x, low, high, color=palette.LEAK, lw=1.4, alpha=0.7)
    return low, high


def thread_axis(ax: Axes, counts: Sequence[int]) -> None:
    """Make x a doubling axis of thread counts."""
    ax.set_xscale("log", base=2)
    ax.set_xticks(counts, [str(n) for n in counts])
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.minorticks_off()


def _gap_panel(ax: Axes, rows: list) -> None:
    ratios = [get(r, "gap_seconds") / get(r, "config", "switch_interval") for r in rows]
    rates = [rate(r) for r in rows]
    floor = 0.5 * min([y for y in rates if y > 0], default=2)
    line = sorted({min(ratios) / 2, max(ratios) * 2})
    ax.plot(line, [25_000 * min(x, 1) for x in line], "-", color=palette.INK, lw=1.5)
    seen = [(x, y) for x, y in zip(ratios, rates, strict=True) if y > 0]
    none = [x for x, y in zip(ratios, rates, strict=True) if y == 0]
    ax.plot([x for x, _ in seen], [y for _, y in seen], "o", color=palette.LEAK, ms=7)
    for x, r in zip(ratios, rows, strict=True):
        if rate(r):
            _whisker(ax, x, r)
    if none:
        ax.plot(none, [floor] * len(none), "v", mfc="white", mec=palette.LEAK, ms=8)
        ax.annotate("▽ none seen", (0.97, 0.03), xycoords="axes fraction", ha="right", fontsize=style.SMALL)
    ax.set(xscale="log", yscale="log")
    ax.minorticks_off()
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,.0f}" if y >= 1 else f"{y:g}"))
    ax.annotate(
        "line: ¼ · gap ÷ interval\n● measured", (0.03, 0.97), xycoords="axes fraction",
        ha="left", va="top", fontsize=style.SMALL, color=palette.INK,
    )  # fmt: skip


def flaky_runs(counts: Sequence[int], requests: int = 2000, title: str | None = None) -> CourseFigure:
    """Draw the false accepts of repeated short runs, one bar each; a run that saw none is marked 0.

    counts: false accepts per run; requests: how many each run made.
    """
    if not counts:
        raise ValueError("Nothing was measured yet: give the count of at least one run.")
    clean = sum(1 for n in counts if n == 0)
    figure = style.new(title or f"{clean} of {len(counts)} runs of {requests:,} requests saw nothing wrong")
    ax = style.axes(figure, "run", "wrong passcodes let in")
    runs = range(1, len(counts) + 1)
    ax.bar(runs, counts, color=palette.LEAK, hatch=style.LEAK_HATCH, edgecolor="white", width=0.8)
    for run, n in zip(runs, counts, strict=True):
        ax.text(
            run,
            n,
            str(n),
            ha="center",
            va="bottom",
            fontsize=style.SMALL,
            fontweight="bold" if n else "normal",
        )
    ax.set_xticks([1, *range(5, len(counts) + 1, 5)])
    ax.set_ylim(0, max(*counts, 1) * 1.25)
    ax.yaxis.set_major_locator(MaxNLocator(nbins="auto", steps=[1, 2, 2.5, 5, 10], integer=True))
    return figure


def accepts_and_rejects(results: object, title: str | None = None) -> CourseFigure:
    """Draw false accepts beside false rejects per 100,000 requests, a pair of bars for each thread count.

    results: one RaceResult (or dict) or several; several of one thread count give their median.
    """
    rows = style.as_list(results)
    if not rows:
        raise ValueError("Nothing was measured yet: give at least one result.")
    counts, accepts = _by_threads(rows)
    _, rejects = _by_threads(rows, "false_rejects")
    figure = style.new(title or _pair_message(sum(accepts), sum(rejects)))
    ax = style.axes(figure, "threads", PER_100K)
    places = range(len(counts))
    kinds = (
        ("A", accepts, palette.LEAK, style.LEAK_HATCH, -0.2),
        ("R", rejects, palette.LOST, style.LOST_HATCH, 0.2),
    )
    for letter, heights, color, hatch, shift in kinds:
        ax.bar([p + shift for p in places], heights, 0.38, color=color, hatch=hatch, edgecolor="white")
        for p, height in zip(places, heights, strict=True):
            ax.text(
                p + shift, height, letter, ha="center", va="bottom", fontsize=style.LABEL, fontweight="bold"
            )
    ax.set_xticks(list(places), [str(n) for n in counts])
    ax.set_ylim(0, 1.35 * max(*accepts, *rejects, 1))
    said = "A  wrong passcode accepted     R  right passcode refused"
    ax.annotate(said, (0.5, 0.98), xycoords="axes fraction", ha="center", va="top", fontsize=style.LABEL)
    return figure


def _pair_message(accepts: float, rejects: float) -> str:
    if accepts and 0.5 <= rejects / accepts <= 2:
        return "For every wrong passcode let in, about one right passcode is refused"
    return "Wrong passcodes let in, right passcodes refused"
