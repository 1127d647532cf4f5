"""Figures of unit 07: who owns which place of a pool of slots, and the life of a slot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from sharedstate import palette
from sharedstate.figures import style
from sharedstate.figures.style import CourseFigure

if TYPE_CHECKING:
    from sharedstate.kvcache import SlotCache

Pool = Sequence[Sequence["Place"]]
SIDE, LEFT, ROW = 0.52, 1.0, 0.46      # inches: the width of a place, of the slots' names, the height of a slot
STAGES = (
    ("1 allocate", "Alice's", 0, ""),
    ("2 write", "Alice's", 4, "AAAA"),
    ("3 reuse", "Alice's", 5, "AAAAA"),
    ("4 release", "nobody's", 0, "AAAAA"),
    ("5 recycle", "Bob's", 2, "BBAAA"),
)
WORDS = MappingProxyType({
    "1 allocate": "nothing valid", "2 write": "the prompt's K and V", "3 reuse": "a step reads all, adds one",
    "4 release": "the data stays", "5 recycle": "Alice's end is still there",
})


@dataclass(frozen=True)
class Place:
    """One place of a slot: whose data lies there (None: nobody's), what is written into the picture beside the
    owner's letter, whether it is stale (beyond the valid length), whether somebody reads it now, and whether it lies
    unasked: in a row that no request is told of, and its owner, who still runs, looks elsewhere and does not find it.
    """

    owner: str | None = None
    text: str = ""
    stale: bool = False
    read: bool = False
    unasked: bool = False


def places(
    cache: SlotCache,
    layer: int = 0,
    text: Callable[[int, int], object] | None = None,
    reads: Iterable[tuple[int, int]] = (),
    columns: int | None = None,
) -> list[list[Place]]:
    """Return a cache's rows as Places, for `memory_map`; whose they are is told by its tags, else by its owners.

    cache: a SlotCache. text(row, column) is written into each place that was ever written; reads: pairs (row,
    column) that somebody reads; columns: how many to show.
    """
    shown, looked = columns or cache.capacity, set(reads)
    tenant = {cache.row_of(slot): slot for slot, owner in enumerate(cache.owners) if owner is not None}
    rows = []
    for row in range(cache.num_slots):
        length = cache.length(tenant[row], layer) if row in tenant else 0
        line = []
        for column in range(shown):
            written = column < cache.reached[row][layer]
            owner = _owner(cache, row, layer, column, tenant) if written else None
            written = written and (owner is not None or cache.tags is None)      # cleared, or an empty place has moved
            said = str(text(row, column)) if written and text else ""
            unasked = row not in tenant and _misses(cache, owner, layer, column, tenant)
            stale = written and column >= length and not unasked
            line.append(Place(owner, said, stale, (row, column) in looked, unasked))
        rows.append(line)
    return rows


def _owner(cache: SlotCache, row: int, layer: int, column: int, tenant: Mapping[int, int]) -> str | None:
    """Return who wrote a place, as the tags say; without tags, who has the row."""
    if cache.tags is not None:
        return "+".join(sorted(cache.tags.owners(row, layer, column))) or None
    return cache.owners[tenant[row]] if row in tenant else None


def _misses(cache: SlotCache, owner: str | None, layer: int, column: int, tenant: Mapping[int, int]) -> bool:
    """Say whether this owner still has a slot, and does not find its own data in the slot's row."""
    rows = [cache.row_of(slot) for slot, name in enumerate(cache.owners) if name is not None and name == owner]
    return any(_owner(cache, row, layer, column, tenant) != owner for row in rows)


def memory_map(
    pools: Mapping[str, Pool], title: str, owners: Sequence[str] | None = None, reader: str = "the reader",
    word: str = "slot",
) -> CourseFigure:
    """Draw pools of slots one below the other: {what it is: rows of Places}.

    Each place has its owner's colour and letter; stale ones are hatched, and a row that lies unasked says so. Those
    that `reader` reads have a frame, in the colour of a leak where the data is stale or another's. owners: the names
    in the order of their colours; word: what a row is called. Raises ValueError without a place.
    """
    every = [place for pool in pools.values() for row in pool for place in row]
    if not every:
        raise ValueError("Nothing to draw: give at least one pool with a place.")
    names = list(owners or dict.fromkeys(place.owner for place in every if place.owner))
    wide = max(len(row) for pool in pools.values() for row in pool)
    rows = sum(len(pool) for pool in pools.values())
    width = max(5.0, LEFT + SIDE * wide + 0.3)
    figure = style.new(title, width, 1.15 + ROW * rows + 0.38 * len(pools))
    ax = style.canvas(figure, LEFT + SIDE * wide, ROW * rows + 0.38 * len(pools))
    top = 0.0
    for what, pool in pools.items():
        ax.text(0, top + 0.2, what, va="center", fontsize=style.LABEL, fontweight="bold", color=palette.INK)
        top += 0.38
        for number, row in enumerate(pool):
            said = f"{word} {number}" + "\nnobody asks" * any(place.unasked for place in row)
            ax.text(LEFT - 0.12, top + ROW / 2, said, ha="right", va="center", fontsize=style.SMALL)
            for column, place in enumerate(row):
                _place(ax, LEFT + SIDE * column, top, place, names, reader)
            top += ROW
    keys = _keys(every, names, reader)
    inches = [0.65 + 0.085 * len(str(key.get_label())) for key in keys]
    figure.legend(handles=keys, loc="outside lower left", ncols=_columns(inches, width),
                  fontsize=style.SMALL, frameon=False, columnspacing=1.2)
    return figure


def _columns(inches: Sequence[float], width: float) -> int:
    """The largest number of columns, filled one after the other, with which labels of these widths fit."""
    for number in range(len(inches), 1, -1):
        rows, longer = divmod(len(inches), number)  # the first `longer` columns have one row more
        starts = [n * rows + min(n, longer) for n in range(number + 1)]
        if sum(max(inches[a:b]) for a, b in pairwise(starts)) < width:
            return number
    return 1


def _place(ax: Axes, x: float, y: float, place: Place, names: Sequence[str], reader: str) -> None:
    """One place: a box, the owner's letter, a hatch when stale, a frame when it is read."""
    corner, size = (x + 0.02, y + 0.03), (SIDE - 0.04, ROW - 0.06)
    fill = _colour(place.owner, names)
    hatch = style.STALE_HATCH if place.stale else None
    ax.add_patch(Rectangle(corner, *size, fc=fill, ec=palette.FAINT, lw=0.6, alpha=0.45 if place.stale else 1.0))
    if hatch:
        ax.add_patch(Rectangle(corner, *size, fill=False, ec=palette.FAINT, lw=0.6, hatch=hatch))
    if place.read:
        edge = palette.LEAK if _wrong(place, reader) else palette.INK
        ax.add_patch(Rectangle(corner, *size, fill=False, ec=edge, lw=2.6))
    letter = place.owner[0].upper() if place.owner else ""
    said = f"{letter}{place.text}" or "·"
    plate: dict[str, Any] | None = {"fc": "white", "ec": "none", "pad": 0.8, "alpha": 0.85} if hatch else None
    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": style.SMALL, "bbox": plate}
    ax.text(x + SIDE / 2, y + ROW / 2, said, color=palette.INK, **look)


def _wrong(place: Place, reader: str) -> bool:
    return place.stale or place.owner not in (reader, None)


def _colour(owner: str | None, names: Sequence[str]) -> str:
    return palette.owner(names.index(owner)) if owner in names else "white"


def _keys(every: Sequence[Place], names: Sequence[str], reader: str) -> list[Patch]:
    """The legend: owners, stale, read rightly or wrongly."""
    keys = [Patch(fc=_colour(name, names), ec=palette.FAINT, label=f"{name[0].upper()} {name}") for name in names]
    if any(place.stale for place in every):
        keys.append(Patch(fc="white", ec=palette.FAINT, hatch=style.STALE_HATCH, label="stale"))
    found = {_wrong(place, reader) for place in every if place.read}
    for wrong, edge, words in ((False, palette.INK, "its own"), (True, palette.LEAK, "not its own")):
        if wrong in found:
            keys.append(Patch(fc="white", ec=edge, lw=2, label=f"read by {reader}, {words}"))
    return keys


def life_cycle(title: str | None = None) -> CourseFigure:
    """Draw the life of a slot in five pictures, with the owner and the valid length at each step."""
    figure = style.new(title or "A slot changes hands; what was written in it stays", 6.4, 3.9)
    ax = style.canvas(figure, 6.4, 3.1)
    spots = ((0.1, 0.1), (2.25, 0.1), (4.4, 0.1), (4.4, 1.85), (1.15, 1.85))
    for (name, owner, length, letters), (x, y) in zip(STAGES, spots, strict=True):
        ax.text(x, y + 0.15, name, va="center", fontsize=style.LABEL, fontweight="bold")
        for column in range(6):
            letter = letters[column:column + 1]
            place = Place({"A": "Alice", "B": "Bob"}.get(letter), stale=column >= length and bool(letter))
            _small(ax, x + 0.31 * column, y + 0.32, place)
        ax.text(x, y + 0.83, f"{owner}, length {length}", va="center", fontsize=style.SMALL)
        ax.text(x, y + 1.07, WORDS[name], va="center", fontsize=style.SMALL, color=palette.FAINT)
    look: dict[str, Any] = {"arrowstyle": "->", "lw": 1.6, "color": palette.INK}
    for start, end in (((1.98, 0.47), (2.23, 0.47)), ((4.13, 0.47), (4.38, 0.47)), ((5.3, 1.3), (5.3, 1.9)),
                       ((4.35, 2.3), (3.05, 2.3)), ((2.1, 1.85), (2.6, 1.32))):
        ax.annotate("", end, start, arrowprops=look)
    return figure


def _small(ax: Axes, x: float, y: float, place: Place) -> None:
    """A place of the life cycle."""
    ax.add_patch(Rectangle((x, y), 0.29, 0.32, fc=_colour(place.owner, ("Alice", "Bob")), ec=palette.FAINT, lw=0.6,
                           alpha=0.45 if place.stale else 1.0))
    if place.stale:
        ax.add_patch(Rectangle((x, y), 0.29, 0.32, fill=False, ec=palette.FAINT, lw=0.6, hatch=style.STALE_HATCH))
    if place.owner:
        plate: dict[str, Any] | None = {"fc": "white", "ec": "none", "pad": 0.6, "alpha": 0.85} if place.stale else None
        ax.text(x + 0.145, y + 0.16, place.owner[0], ha="center", va="center", fontsize=style.SMALL, bbox=plate)


def request_errors(
    errors: Mapping[str, Sequence[float | None]], title: str, tolerance: float = 1e-9
) -> CourseFigure:
    """Draw for each request and step whether its logits were right: {request: largest error, or None when absent}.

    A wrong step shows its error. Raises ValueError without a request.
    """
    if not errors:
        raise ValueError("Nothing to draw: give at least one request.")
    steps = max(len(row) for row in errors.values())
    figure = style.new(title, width=6.0, height=1.75 + 0.42 * len(errors))
    ax = style.canvas(figure, steps + 1.1, len(errors) + 0.7)
    for step in range(steps):
        said = "prefill" if step == 0 else f"step {step}"
        ax.text(step + 1.6, 0.35, said, ha="center", va="center", fontsize=style.SMALL, color=palette.INK)
    for line, (name, row) in enumerate(errors.items()):
        ax.text(0.95, line + 1.2, name, ha="right", va="center", fontsize=style.LABEL, fontweight="bold")
        for step, error in enumerate(row):
            _step(ax, step + 1.1, line + 0.7, error, tolerance)
    keys = [Patch(fc=palette.ISOLATED, ec="white", label="right"),
            Patch(fc=palette.LEAK, ec="white", label="wrong, and by how much"),
            Patch(fc="white", ec=palette.FAINT, label="not there")]
    figure.legend(handles=keys, loc="outside lower left", ncols=3, fontsize=style.SMALL, frameon=False)
    return figure


def _step(ax: Axes, x: float, y: float, error: float | None, tolerance: float) -> None:
    """One request in one step."""
    if error is None:
        ax.add_patch(Rectangle((x + 0.05, y + 0.06), 0.9, 0.88, fc="white", ec=palette.ALLOWED, lw=0.6))
        return
    wrong = error > tolerance
    fill = palette.LEAK if wrong else palette.ISOLATED
    ax.add_patch(Rectangle((x + 0.05, y + 0.06), 0.9, 0.88, fc=fill, ec="white", lw=0.6))
    plate: dict[str, Any] | None = {"fc": "white", "ec": "none", "pad": 1.2} if wrong else None
    ax.text(x + 0.5, y + 0.5, f"{error:.2f}" if wrong else "ok", ha="center", va="center", fontsize=style.SMALL,
            color=palette.INK if wrong else "white", bbox=plate)
