"""Figures of unit 08: who has which block, how much fits, what a block size costs, and what a shared prefix saves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure

if TYPE_CHECKING:
    from sharedstate.kvcache import BlockPool, BlockTable
    from sharedstate.kvcache.house import House

PLACE, GAP, HIGH = 0.34, 0.22, 0.36     # inches: a place, the distance of blocks, the height of a block
LINE = 1.02                             # from one line of blocks to the next
WIDE = 6.0
MARKS = ("o", "s", "^", "D")


@dataclass(frozen=True)
class BlockView:
    """One block of a picture: its number, who names it in a table, the text in each place ("" where it is empty),
    whether its prefix can be found again, and whether it was copied just now.
    """

    number: int
    owners: tuple[str, ...]
    texts: tuple[str, ...]
    kept: bool = False


def block_views(
    pool: BlockPool, tables: Mapping[str, BlockTable], text: Callable[[int, int], object] | None = None,
    stale: bool = False,
) -> list[BlockView]:
    """Return every block of a pool as a view, for `block_map`.

    text(block, place) is written where a table has a token, and in all of a kept block; with `stale`, everywhere.
    """
    size = pool.block_size
    valid: dict[int, int] = {}
    owners: dict[int, list[str]] = {}
    for name, table in tables.items():
        for index, block in enumerate(table.blocks):
            owners.setdefault(block, []).append(name)
            valid[block] = max(valid.get(block, 0), min(size, table.num_tokens - index * size))
    views = []
    for block in range(pool.num_blocks):
        kept = block in pool.kept
        shown = size if stale or (kept and block not in owners) else valid.get(block, 0)
        texts = tuple(str(text(block, place)) if text and place < shown else "" for place in range(size))
        views.append(BlockView(block, tuple(owners.get(block, ())), texts, kept))
    return views


def views(house: House, stale: bool = False) -> list[BlockView]:
    """Return the blocks of a house of numbers, for `block_map`."""
    return block_views(house.pool, house.tables, house.at, stale)


def block_map(
    pools: Mapping[str, Sequence[BlockView]], title: str, owners: Sequence[str] | None = None
) -> CourseFigure:
    """Draw pools of blocks one below the other, {what it is: views}; each block with who names it in a table.

    A block of one owner has the owner's colour, a shared one is grey, a free one white; one that is free and can be
    found again is hatched. owners: the names in the order of their colours. Raises ValueError without a block.
    """
    if not pools or not all(pools.values()):
        raise ValueError("Nothing to draw: give at least one pool with a block.")
    every = [view for views in pools.values() for view in views]
    names = list(owners or dict.fromkeys(name for view in every for name in view.owners))
    wide = PLACE * len(every[0].texts) + GAP
    a_line = max(1, int(WIDE / wide))
    lines = sum(-(-len(views) // a_line) for views in pools.values())
    high = LINE * lines + 0.3 * len(pools)
    figure = style.new(title, WIDE + 0.3, high + 0.95)
    ax = style.canvas(figure, WIDE, high)
    top = 0.0
    for said, views in pools.items():
        ax.text(0, top + 0.14, said, va="center", fontsize=style.SMALL, color=palette.INK)
        top += 0.3
        for number, view in enumerate(views):
            _block(ax, view, names, wide * (number % a_line), top + LINE * (number // a_line))
        top += LINE * -(-len(views) // a_line)
    figure.legend(handles=_keys(every, names), loc="outside lower left", ncols=4, fontsize=style.SMALL, frameon=False)
    return figure


def _block(ax: Axes, view: BlockView, names: Sequence[str], x: float, y: float) -> None:
    """One block: places, its number above, who names it below."""
    fill, hatch = _look(view, names)
    label = "null" if view.number == 0 else f"block {view.number}"
    ax.text(x, y + 0.12, label, va="center", fontsize=style.SMALL, color=palette.INK)
    for place, text in enumerate(view.texts):
        corner = (x + PLACE * place, y + 0.22)
        full = bool(text) and bool(view.owners)
        ax.add_patch(Rectangle(corner, PLACE, HIGH, fc=fill if full else "white", ec=palette.FAINT, lw=0.7,
                               hatch=hatch if text else None))
        plate: dict[str, Any] | None = {"fc": "white", "ec": "none", "pad": 0.6} if hatch else None
        ax.text(corner[0] + PLACE / 2, corner[1] + HIGH / 2, text, ha="center", va="center",
                fontsize=style.SMALL - 1, color=palette.INK, bbox=plate)
    who = "+".join(name[0].upper() for name in view.owners) or ("-" if view.number == 0 else "free")
    ax.text(x, y + 0.72, who, va="center", fontsize=style.SMALL, fontweight="bold" if view.owners else "normal",
            color=palette.INK)


def _look(view: BlockView, names: Sequence[str]) -> tuple[str, str | None]:
    if len(view.owners) > 1:
        return palette.ALLOWED, None
    if view.owners:
        return palette.owner(names.index(view.owners[0])), None
    return "white", style.STALE_HATCH if view.kept else None


def _keys(every: Iterable[BlockView], names: Sequence[str]) -> list[Patch]:
    """The legend: owners, and the kinds of blocks that there are."""
    views = list(every)
    keys = [Patch(fc=palette.owner(k), ec=palette.FAINT, label=f"{n[0].upper()} {n}") for k, n in enumerate(names)]
    if any(len(view.owners) > 1 for view in views):
        keys.append(Patch(fc=palette.ALLOWED, ec=palette.FAINT, label="shared"))
    if any(view.kept and not view.owners for view in views):
        keys.append(Patch(fc="white", ec=palette.FAINT, hatch=style.STALE_HATCH, label="free, can be found"))
    return keys


def capacity_bars(
    counts: Mapping[str, Mapping[str, int]], title: str, ylabel: str = "requests in memory"
) -> CourseFigure:
    """Draw counts[mix][way] as groups of bars with their numbers. Raises ValueError for nothing."""
    if not counts or not next(iter(counts.values())):
        raise ValueError("Nothing to draw: give at least one mix and one way.")
    ways = list(next(iter(counts.values())))
    figure = style.new(title, height=3.6)
    ax = style.axes(figure, ylabel=ylabel)
    wide = 0.8 / len(ways)
    looks = ((palette.ALLOWED, ""), (palette.ISOLATED, ""), (palette.OWNERS[0], "//"))
    for k, way in enumerate(ways):
        colour, hatch = looks[k % len(looks)]
        for x, mix in enumerate(counts):
            value, left = counts[mix][way], x + (k - (len(ways) - 1) / 2) * wide
            ax.bar(left, value, wide * 0.9, color=colour, hatch=hatch, ec="white", label=way if x == 0 else None)
            ax.annotate(f"{value:,}", (left, value), xytext=(0, 2), textcoords="offset points", ha="center",
                        fontsize=style.SMALL)
    ax.set_xticks(range(len(counts)), list(counts), fontsize=style.LABEL)
    ax.set_ylim(0, 1.15 * max(max(row.values()) for row in counts.values()))
    ax.legend(fontsize=style.SMALL, frameon=False)
    return figure


def size_sweep(
    curves: Mapping[str, Mapping[int, float]], title: str, ylabel: str, mark: int | None = None
) -> CourseFigure:
    """Draw curves[name][block size], shares from 0 to 1, over block sizes that double; `mark` is a size to point at.

    Raises ValueError for nothing.
    """
    if not curves or not next(iter(curves.values())):
        raise ValueError("Nothing to draw: give at least one curve with a point.")
    figure = style.new(title, height=3.6)
    ax = style.axes(figure, "block size, tokens", ylabel)
    colours = (palette.ISOLATED, *palette.OWNERS[:3])
    for k, (name, points) in enumerate(curves.items()):
        xs, ys = list(points), [100 * share for share in points.values()]
        ax.plot(xs, ys, marker=MARKS[k % 4], color=colours[k % 4], label=name)
    sizes = sorted({size for points in curves.values() for size in points})
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.set_xticks([], minor=True)
    ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    if mark is not None:
        ax.axvline(mark, color=palette.FAINT, linestyle="--", linewidth=1)
    ax.legend(fontsize=style.SMALL, frameon=False)
    return figure


def saving(points: Sequence[tuple[float, float]], title: str) -> CourseFigure:
    """Draw (share of the prompt that hit, share of the time to first token saved) beside the line of equals.

    Raises ValueError for nothing.
    """
    if not points:
        raise ValueError("Nothing to draw: give at least one point.")
    figure = style.new(title, height=3.4)
    ax = style.axes(figure, "share of the prompt that hits", "time to first token saved")
    ax.plot([0, 100], [0, 100], color=palette.FAINT, linestyle="--", linewidth=1, label="equal shares")
    xs, ys = zip(*((100 * hit, 100 * saved) for hit, saved in points), strict=True)
    ax.plot(xs, ys, "o", color=palette.ISOLATED, markersize=8, label="measured")
    for x, y in zip(xs, ys, strict=True):
        ax.annotate(f"{y:.0f} %", (x, y), xytext=(8, -4), textcoords="offset points", fontsize=style.SMALL)
    ax.set(xlim=(0, 108), ylim=(min(0, *ys), 108))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:g} %")
    ax.legend(fontsize=style.SMALL, frameon=False, loc="upper left")
    return figure
